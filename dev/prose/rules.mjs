// The rules for prose, chosen once. An exception names the word and the reason.

// A sentence has at most so many words.
export const LONGEST = 32

// A sentence is readable for somebody of this age, by at least so many of the seven formulas of retext-readability.
export const READER = { age: 16, threshold: 5 / 7, minWords: 8 }

export const ALLOWED = {
  simplify: {},
}
