/** The details of field errors in the words of a form, for people who don't know the schema. Pure. */

/** What validation says → what a form says. Each ends a sentence that begins with the name of the field. */
const WORDS: readonly (readonly [detail: RegExp, words: string])[] = [
  [/^must not have fewer than 1 character$/, 'must not be empty'],
  [/^must not be blank$/, 'must not be empty'],
  [/^must not have more than 1 character$/, 'must have at most 1 character'],
  [/^must not have fewer than (\d+) characters$/, 'must have at least $1 characters'],
  [/^must not have more than (\d+) characters$/, 'must have at most $1 characters'],
  [/^must not have fewer than (\d+) (?:items?|property|properties)$/, 'must have at least $1'],
  [/^must not have more than (\d+) (?:items?|property|properties)$/, 'must have at most $1'],
  [/^must be >= (.+)$/, 'must be $1 or more'],
  [/^must be <= (.+)$/, 'must be $1 or less'],
  [/^must be > (.+)$/, 'must be greater than $1'],
  [/^must be < (.+)$/, 'must be less than $1'],
  [/^must be multiple of (.+)$/, 'must be a multiple of $1'],
  [/^must be integer$/, 'must be a whole number'],
  [/^must be number$/, 'must be a number'],
  [/^must be string$/, 'must be a text'],
  [/^must be boolean$/, 'must be true or false'],
  [/^must be array$/, 'must be a list'],
  [/^must be object$/, 'must be an object'],
  [
    /^must be ((?:(?:string|number|integer|boolean|array|object|null)(?:, | or )?){2,})$/,
    'must have one of these types: $1',
  ],
  [/^must match pattern "(.*)"$/, 'must match $1'],
  [/^must match (?:exactly one|a) schema in \w+$/, 'does not have the required form'],
  [
    /^(?:must not be valid|boolean schema is false|must contain at least .+ valid item\(s\))$/,
    'does not have the required form',
  ],
]

/** `must not have fewer than 8 characters` → `must have at least 8 characters`. */
export function formWords(detail: string): string {
  const [pattern, words] = WORDS.find(([pattern]) => pattern.test(detail)) ?? []
  return pattern && words ? detail.replace(pattern, words) : detail
}

/** The number of invalid fields of a form, as the message above it. */
export const invalidFieldCount = (count: number): string =>
  count === 1 ? 'Check the marked field.' : `Check the ${count} marked fields.`
