// One class for each problem that the service names, and for what can fail on the way to it.

/** A problem document (RFC 9457) as the service sent it. */
export interface ProblemDocument {
  status: number;
  title: string;
  detail?: string;
  code?: string;
  request_id?: string;
  parameter?: string;
  parameters?: string[];
  upgrade_url?: string;
  limit?: number;
  policy?: string;
  retry_after?: number;
  component?: string;
}

/** Base class of all errors of the client. `status` is 0 if the service did not answer. */
export class SankofaError extends Error {
  readonly document: ProblemDocument;

  constructor(document: ProblemDocument) {
    const named = document.parameter ? `${document.parameter}: ` : "";
    super(`${document.title}. ${named}${document.detail ?? ""}`.trim());
    this.name = new.target.name;
    this.document = document;
  }

  get status(): number {
    return this.document.status;
  }

  /** The stable word of the service for the problem. */
  get code(): string | undefined {
    return this.document.code;
  }

  /** The parameter that is wrong. */
  get parameter(): string | undefined {
    return this.document.parameter;
  }

  /** The id of the request in the log of the service; quote it to support. */
  get requestId(): string | undefined {
    return this.document.request_id;
  }

  /** Where a larger tier is offered. */
  get upgradeUrl(): string | undefined {
    return this.document.upgrade_url;
  }

  /** Seconds after which the same request may succeed. */
  get retryAfter(): number | undefined {
    return this.document.retry_after;
  }
}

export class InvalidParameter extends SankofaError {}
export class InvalidKey extends SankofaError {}
export class UpgradeRequired extends SankofaError {}
export class OriginNotAllowed extends SankofaError {}
export class NotSigned extends SankofaError {}
export class NotFound extends SankofaError {}
export class UnknownPath extends SankofaError {}
export class UnreadableMessage extends SankofaError {}
export class UnreadableReport extends SankofaError {}
export class MethodNotAllowed extends SankofaError {}
export class NotAcceptable extends SankofaError {}
export class BodyTooLarge extends SankofaError {}
export class BodyTooSlow extends SankofaError {}
export class AddressTooLong extends SankofaError {}
export class UnlistedHost extends SankofaError {}
/** The requests of this minute or month are used up; `document.policy` names the limit. */
export class LimitReached extends SankofaError {}
export class HeadersTooLarge extends SankofaError {}
export class Fault extends SankofaError {}
export class Unavailable extends SankofaError {}

/** The service could not be reached. */
export class ConnectionFailed extends SankofaError {}
/** The answer did not arrive within the time allowed. */
export class DeadlineExceeded extends SankofaError {}
/** The answer is not one of the service: a proxy answered, or a newer version. */
export class UnexpectedAnswer extends SankofaError {}
/** The answer redirects. The client does not follow it, so that the key is not sent elsewhere. */
export class UnsafeRedirect extends SankofaError {}

/** The class of each problem, by the `code` of its document. */
export const BY_CODE: Readonly<Record<string, new (document: ProblemDocument) => SankofaError>> = {
  "invalid-parameter": InvalidParameter,
  "invalid-key": InvalidKey,
  "tier-limit": UpgradeRequired,
  "origin-not-allowed": OriginNotAllowed,
  "not-signed": NotSigned,
  "not-found": NotFound,
  "unknown-path": UnknownPath,
  "unreadable-message": UnreadableMessage,
  "unreadable-report": UnreadableReport,
  "method-not-allowed": MethodNotAllowed,
  "not-acceptable": NotAcceptable,
  "body-too-large": BodyTooLarge,
  "body-too-slow": BodyTooSlow,
  "url-too-long": AddressTooLong,
  "unlisted-host": UnlistedHost,
  "limit-reached": LimitReached,
  "headers-too-large": HeadersTooLarge,
  fault: Fault,
  unavailable: Unavailable,
};

/** Return the error of a refusal: the class of its code, with what only the headers state. */
export function problem(status: number, body: unknown, headers: Headers, seconds: number | undefined): SankofaError {
  const requestId = headers.get("X-Request-Id") ?? undefined;
  const added = { ...(requestId && { request_id: requestId }), ...(seconds !== undefined && { retry_after: seconds }) };
  if (!isProblem(body)) {
    const detail = "A proxy between here and the service may have answered.";
    return new UnexpectedAnswer({ status, title: "The answer is not one of the service", detail, ...added });
  }
  return new (BY_CODE[body.code ?? ""] ?? UnexpectedAnswer)({ ...added, ...body });
}

function isProblem(body: unknown): body is ProblemDocument {
  return typeof body === "object" && body !== null && "status" in body && "title" in body;
}
