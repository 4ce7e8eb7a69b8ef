// Checks the English of Markdown files: readable sentences, plain words, no slips. Exits with 1 if anything is found.
//
//     node check.mjs FILE…
import { readFile } from "node:fs/promises"

import { toString } from "nlcst-to-string"
import remarkFrontmatter from "remark-frontmatter"
import remarkGfm from "remark-gfm"
import remarkParse from "remark-parse"
import remarkRetext from "remark-retext"
import retextEnglish from "retext-english"
import retextIndefiniteArticle from "retext-indefinite-article"
import retextReadability from "retext-readability"
import retextRepeatedWords from "retext-repeated-words"
import retextSimplify from "retext-simplify"
import retextStringify from "retext-stringify"
import { unified } from "unified"
import { visit } from "unist-util-visit"
import { reporter } from "vfile-reporter"
import { VFile } from "vfile"

import { ALLOWED, LONGEST, READER, RIDDLING } from "./rules.mjs"

// A quotation has the words of its author.
function remarkWithoutQuotes() {
  return (tree) =>
    visit(tree, "blockquote", (_quote, index, parent) => {
      parent.children.splice(index, 1)
      return index
    })
}

// The parser takes "One. `two` is three." for one sentence: code begins no sentence for it.
function retextSplitBeforeCode() {
  return (tree) =>
    visit(tree, "SentenceNode", (sentence, index, parent) => {
      const parts = sentence.children
      const end = parts.findIndex(
        (part, at) => toString(part).endsWith(".") && parts[at + 1]?.type === "WhiteSpaceNode" && parts[at + 2]?.type === "SourceNode",
      )
      if (end < 0) return
      const made = [parts.slice(0, end + 1), parts.slice(end + 2)].map((children) => ({
        type: "SentenceNode",
        children,
        position: { start: children[0].position.start, end: children.at(-1).position.end },
      }))
      parent.children.splice(index, 1, made[0], parts[end + 1], made[1])
      return index + 2
    })
}

function retextSentenceLength() {
  return (tree, file) =>
    visit(tree, "SentenceNode", (sentence) => {
      let words = 0
      visit(sentence, "WordNode", () => void (words += 1))
      if (words > LONGEST) {
        file.message(`Sentence of ${words} words; at most ${LONGEST} are allowed`, {
          place: sentence.position,
          source: "sentence-length",
        })
      }
    })
}

function retextRiddlingWords() {
  return (tree, file) =>
    visit(tree, "WordNode", (word) => {
      const text = toString(word)
      const [, instead] = RIDDLING.find(([pattern]) => pattern.test(text)) ?? []
      if (instead) file.message(`Unexpected \`${text}\`: ${instead}`, { place: word.position, source: "riddling-words" })
    })
}

const english = unified()
  .use(retextEnglish)
  .use(retextSplitBeforeCode)
  .use(retextIndefiniteArticle)
  .use(retextReadability, READER)
  .use(retextRepeatedWords)
  .use(retextRiddlingWords)
  .use(retextSentenceLength)
  .use(retextSimplify, { ignore: Object.keys(ALLOWED) })
  .use(retextStringify)
const markdown = unified()
  .use(remarkParse)
  .use(remarkFrontmatter)
  .use(remarkGfm)
  .use(remarkWithoutQuotes)
  .use(remarkRetext, english)

const files = await Promise.all(
  process.argv.slice(2).map(async (path) => {
    const file = new VFile({ path, value: await readFile(path) })
    await markdown.run(markdown.parse(file), file)
    return file
  }),
)
console.log(reporter(files, { quiet: true }))
process.exitCode = files.some((file) => file.messages.length > 0) ? 1 : 0
