import { defineConfig } from "vite";

// `npm exec vite` serves the page while it is worked on; the API of `make up` answers behind it.
const api = process.env["SANKOFA_API"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  build: { target: "es2022", cssCodeSplit: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { "/v1": api, "/openapi.json": api, "/docs": api }, fs: { allow: [".."] } }, // the client is beside the explorer
});
