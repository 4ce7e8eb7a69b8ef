// The rules for prose, chosen once. Every exception has its reason.

// A sentence has at most so many words.
export const LONGEST = 35

// A sentence must be readable for somebody of this age, by at least three of the seven formulas of retext-readability.
export const READER = { age: 16, threshold: 5 / 7, minWords: 8 }

// Words that make riddles, and what to write instead.
export const RIDDLING = [
  [/^whoever$/i, "name the person: `if you`, `a caller`, `an operator`"],
  [/^(?:no|any|some|every)body(?:'s)?$/i, "name the person: `no reader`, `an operator`, `all callers`"],
  [/^(?:tells?|telling|told)$/i, "use `return`, `list`, `show`, `name`, `distinguish`"],
  [/^(?:says?|said)$/i, "use `state`, `contain`, `report`, `explain`, `define`"],
  [/^stood$/i, "use `was the newest`, `was public`"],
  [/^anew$/i, "use `again`"],
  [/^evidences$/i, "use `proves`, or `the evidence for`"],
  [/^silence$/i, "use `without notice`, `does not respond`, `omits`"],
  [/^thereof|herein|hereby|whilst$/i, "use a common word"],
]

// Words that retext-simplify would replace, and why they stay.
export const ALLOWED = {
  additional: "of fields",
  address: "of the service",
  aggregate: "a group of countries in macro series",
  "all of": "a list that was just named",
  combined: "of parameters",
  attempt: "of a fetch",
  capability: "of Linux",
  component: "a part of the service, by the field's name",
  contains: "of files and fields",
  delete: "the operation of S3 and SQL",
  effect: "of a setting",
  function: "of a database or a program",
  forward: "a direction",
  "in between": "of dates",
  "it appears": "what is visible",
  "it is": "names the subject of the sentence before",
  interface: "of a module",
  maximum: "of a parameter",
  methodology: "the name of a field and of a section",
  multiple: "of a number",
  option: "of a command",
  parameters: "of a call",
  permit: "of a licence",
  "relative to": "of paths",
  remain: "of rows",
  request: "of HTTP",
  require: "of S3 policies",
  "there are": "existence is the point",
  "there is": "existence is the point",
  therefore: "joins a reason to its result",
  type: "a field's name",
}
