/** Extensions of every ajv instance in Larder, in addition to ajv-formats. */
import type AjvCore from 'ajv/dist/core.js'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import { cleanCode } from './codes.ts'
import { isMultipleOf } from './decimal.ts'
import { asciiAddress, cleanAddress } from './email.ts'
import { matchLocale } from './locale.ts'
import { cleanName, containsEncodedWord, containsLink, isBlank } from './names.ts'
import { parseUrl } from './web-address.ts'
import { inEnglish, type Wording, wording } from './wording.ts'

/** The list of languages that a text is matched to: `de-AT` becomes `de`. */
export const LANGUAGES_KEYWORD = 'x-larder-languages'
/** `line`: a name, which is cleaned. `plain`: one without links. */
export const NAME_KEYWORD = 'x-larder-name'
/** A text that shows something unless it is empty, which `minLength` decides. */
export const VISIBLE_KEYWORD = 'x-larder-visible'
/** A code that a person types, in any notation. */
export const CODE_KEYWORD = 'x-larder-code'
/** Added to each `format: email` of a request. */
export const ADDRESS_KEYWORD = 'x-larder-address'

/** Adds exact decimal steps, lists without duplicates, visible texts and international domain names. Call it after ajv-formats. */
export function extendAjv(ajv: AjvCore.default): void {
  // Ajv divides doubles: 19.99 / 0.01 is 1998.9999999999998.
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    compile: (step: number) => {
      const check: DataValidateFunction = (value: number) => {
        const isStep = isMultipleOf(value, step)
        check.errors = isStep
          ? []
          : [{ keyword: 'multipleOf', message: `must be multiple of ${step}`, params: { step } }]
        return isStep
      }
      return check
    },
  })
  // Ajv compares each item with every other one: 8,000 objects take seconds.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: isUnique => (isUnique ? hasUniqueItems() : () => true),
  })
  ajv.addKeyword({
    keyword: VISIBLE_KEYWORD,
    type: 'string',
    schemaType: 'boolean',
    compile: () => (text: string) => text === '' || !isBlank(text),
    error: { message: 'must not be blank' },
  })
  const [isEmail, isUri] = [testOf(ajv, 'email'), testOf(ajv, 'uri')]
  const email = (text: string) => isEmail(isAscii(text) ? text : (asciiAddress(text) ?? text))
  const uri = (text: string) => {
    const ascii = isAscii(text) ? text : asciiUrl(text)
    return isUri(ascii) && (!/^(https?:|[a-z][a-z0-9+.-]*:\/\/)/i.test(ascii) || parseUrl(ascii) !== undefined)
  }
  ajv.addFormat('email', { type: 'string', validate: email })
  ajv.addFormat('idn-email', { type: 'string', validate: email })
  ajv.addFormat('uri', { type: 'string', validate: uri })
  ajv.addFormat('iri', { type: 'string', validate: uri })
  const isUrl = testOf(ajv, 'url')
  // The time of its pattern grows with the square of the length.
  ajv.addFormat('url', { type: 'string', validate: (text: string) => text.length <= MAX_URL_LENGTH && isUrl(text) })
}

function hasUniqueItems(): DataValidateFunction {
  const check: DataValidateFunction = (items: readonly unknown[]) => {
    const seen = new Map<string, number>()
    for (const [j, item] of items.entries()) {
      const key = equalityKey(item)
      const i = seen.get(key)
      if (i !== undefined) {
        const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`
        check.errors = [{ keyword: 'uniqueItems', message, params: { i, j } }]
        return false
      }
      seen.set(key, j)
    }
    return true
  }
  return check
}

/** The same text for equal JSON values, whatever the order of their keys. */
function equalityKey(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(equalityKey).join()}]`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${equalityKey(member)}`)
  return `{${members.sort().join()}}`
}

/** Adds keywords that modify the value, for the schemas of routes. */
export function addModifiers(ajv: AjvCore.default): void {
  ajv.addKeyword({
    keyword: LANGUAGES_KEYWORD,
    before: 'enum',
    modifying: true,
    compile: (available: readonly string[]) => (value, place) => {
      const found = typeof value === 'string' ? matchLocale(value, available) : undefined
      if (found !== undefined && place) place.parentData[place.parentDataProperty] = found
      return true
    },
  })
  ajv.addKeyword(
    textModifier(NAME_KEYWORD, cleanName, (name, kind) => {
      if (kind === 'line') return undefined
      if (containsEncodedWord(name)) return wording('must not contain an encoded word (=?…?=)')
      return containsLink(name) ? wording('must not contain a link') : undefined
    }),
  )
  ajv.addKeyword(textModifier(CODE_KEYWORD, cleanCode))
  ajv.addKeyword(textModifier(ADDRESS_KEYWORD, cleanAddress))
}

/** A keyword that replaces a text before its length is checked. `problemOf` ends a sentence about the new text. */
function textModifier(
  keyword: string,
  clean: (text: string) => string,
  problemOf: (text: string, value: unknown) => Wording | undefined = () => undefined,
): AjvCore.KeywordDefinition {
  return {
    keyword,
    type: 'string',
    before: 'maxLength',
    modifying: true,
    compile: (value, parent) => {
      const { maxLength = DEFAULT_LENGTH } = parent as { readonly maxLength?: number }
      const check: DataValidateFunction = (given: string, place) => {
        // Refused by its length. The time of the normalization grows with the square of the combining marks.
        if (given.length > Math.max(MIN_CLEANED, CLEANED_FACTOR * maxLength)) {
          check.errors = []
          return true
        }
        const text = clean(given)
        if (place) place.parentData[place.parentDataProperty] = text
        const problem = problemOf(text, value)
        check.errors =
          problem === undefined ? [] : [{ keyword, message: inEnglish(problem), params: { wording: problem } }]
        return problem === undefined
      }
      return check
    },
  }
}

/** What surrounds a value can be longer than the value. */
const CLEANED_FACTOR = 4
const MIN_CLEANED = 1024
/** The maximum of texts that declare none. */
const DEFAULT_LENGTH = 1024

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

/** The maximum of addresses whose check takes the square of their length: of `format: url`, and with other letters than ASCII. */
const MAX_URL_LENGTH = 4096

/** Keeps spaces and delimiters, so that validation rejects them. */
const asciiUrl = (text: string): string =>
  text.length > MAX_URL_LENGTH || /[\s<>"{}|\\^`]/.test(text) || !URL.canParse(text) ? text : new URL(text).href

function testOf(ajv: AjvCore.default, name: string): (text: string) => boolean {
  const format: unknown = ajv.formats[name]
  if (format instanceof RegExp) return text => format.test(text)
  if (typeof format === 'function') return format as (text: string) => boolean
  throw new Error(`ajv has no format ${name}`)
}
