// The API reference: shows the description of the service that this page comes from, and asks nobody else.
"use strict"

const key = document.querySelector('meta[name="sandbox-key"]').content

const dark = matchMedia("(prefers-color-scheme: dark)")
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches)
dark.addEventListener("change", follow)
follow()

const reference = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  docExpansion: "list",
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete() {
    if (key) reference.preauthorizeApiKey("ApiKey", key)
  },
})
