// A server in front of the service that answers some requests itself: real sockets, faults on purpose.

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export const DROP = "drop";

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface Faulty extends AsyncDisposable {
  url: string;
  requests: { path: string; headers: IncomingHttpHeaders }[];
}

/** Take the next fault for each request; once there are none left, pass requests on. */
export async function faulty(behind: string, ...faults: (Answer | typeof DROP)[]): Promise<Faulty> {
  const requests: Faulty["requests"] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push({ path, headers: request.headers });
    const fault = faults.shift();
    if (fault === DROP) return void request.socket.destroy();
    if (fault) return void response.writeHead(fault.status, fault.headers).end(fault.body);
    const { host: _, connection: __, ...headers } = request.headers;
    void fetch(behind + path, { headers: headers as Record<string, string> }).then(async (answer) => {
      const kept = [...answer.headers].filter(([name]) => !["content-encoding", "content-length", "transfer-encoding"].includes(name));
      response.writeHead(answer.status, Object.fromEntries(kept)).end(await answer.text());
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
