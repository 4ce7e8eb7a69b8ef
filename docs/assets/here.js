"use strict"
;(() => {
  // The theme calls its search a dialog and gives it no name.
  document.querySelector(".md-search[role=dialog]")?.setAttribute("aria-label", "Search")

  // Examples name the port that a local stack has by default. Read on a local stack with another, they name that one.
  const written = "http://127.0.0.1:8080"
  if (location.hostname !== "127.0.0.1" || location.origin === written) return
  for (const code of document.querySelectorAll("pre > code")) {
    if (!code.textContent.includes(written)) continue
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(written, location.origin)
  }
})()
