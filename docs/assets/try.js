// The API reference: a form under each example sends the call to the service that this page comes from.
"use strict"
;(() => {
  const key = document.querySelector('meta[name="sandbox-key"]').content

  const element = (name, attributes, ...children) => {
    const made = Object.assign(document.createElement(name), attributes)
    made.append(...children)
    return made
  }

  const send = async (path, headers) => {
    const answer = await fetch(path, { headers })
    const body = await answer.text()
    const length = `${body.length.toLocaleString("en")} characters`
    return `${answer.status} ${answer.statusText}, edition ${answer.headers.get("x-data-edition") ?? "none"}, ${length}\n\n${pretty(body)}`
  }

  // Indents JSON without parsing its numbers: they keep all their digits.
  const pretty = (text) => {
    let depth = 0
    const line = () => `\n${"  ".repeat(depth)}`
    return text.replace(/"(?:\\.|[^"\\])*"|[{}[\],:]/g, (part) => {
      if (part === "{" || part === "[") return ((depth += 1), part + line())
      if (part === "}" || part === "]") return ((depth -= 1), line() + part)
      if (part === ",") return part + line()
      return part === ":" ? ": " : part
    })
  }

  for (const place of document.querySelectorAll(".try")) {
    const path = element("input", { type: "text", value: place.dataset.path, spellcheck: false })
    path.setAttribute("aria-label", "Path and query")
    const button = element("button", { type: "submit" }, "Run")
    const answer = element("pre", { hidden: true, tabIndex: 0 })
    answer.setAttribute("role", "region")
    answer.setAttribute("aria-label", "Answer")
    const form = element("form", {}, path, button)
    form.addEventListener("submit", async (event) => {
      event.preventDefault()
      button.disabled = true
      answer.hidden = false
      answer.textContent = "…"
      const local = new URL(path.value, location.origin).origin === location.origin && path.value.startsWith("/")
      answer.textContent = local
        ? await send(path.value, key ? { "X-API-Key": key } : {}).catch((error) => `No answer: ${error.message}`)
        : "Enter a path that begins with /."
      button.disabled = false
    })
    place.append(form, answer)
  }
})()
