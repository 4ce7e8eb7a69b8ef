// Checks the English of Markdown files: readable sentences, plain words, no slips. Exits with 1 if anything is found.
//
//     node check.mjs FILE…
import { readFile } from "node:fs/promises"

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

import { ALLOWED, LONGEST, READER } from "./rules.mjs"

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

const english = unified()
  .use(retextEnglish)
  .use(retextIndefiniteArticle)
  .use(retextReadability, READER)
  .use(retextRepeatedWords)
  .use(retextSentenceLength)
  .use(retextSimplify, { ignore: Object.keys(ALLOWED.simplify) })
  .use(retextStringify)
const markdown = unified().use(remarkParse).use(remarkFrontmatter).use(remarkGfm).use(remarkRetext, english)

const files = await Promise.all(
  process.argv.slice(2).map(async (path) => {
    const file = new VFile({ path, value: await readFile(path) })
    await markdown.run(markdown.parse(file), file)
    return file
  }),
)
console.log(reporter(files, { quiet: true }))
process.exitCode = files.some((file) => file.messages.length > 0) ? 1 : 0
