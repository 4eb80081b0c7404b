/** Replaces secrets in what is shown of a recipe. */
import { isRecord, readVariable } from '../kernel/base/index.ts'
import { type CheckedRecipe, maskRecipe, type readRecipe, toValue } from '../kernel/recipe/index.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Characters. Shorter values would also replace parts of ordinary words. */
const MIN_LENGTH = 6
/** Characters of a value that diagnostics show before they cut it with `…`. */
const MIN_CUT_LENGTH = 12
const CUT = '…'
const MASK = '***'
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)/g
const SECRET_VARIABLE = /secret|passw|passphrase|token|key|credential|private|salt|dsn/i
const SECRET_KEY = /secret|passw|passphrase|token(?!s)|credential|(api|private|access|signing).?key/i
const URL_USER = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/@\s]+@/gi

export interface Redactor {
  /** @param replacement what is shown instead: `***` by default. */
  add(secret: string, replacement?: string): void
  /** A copy in which every string, including keys, is free of the secrets added so far. */
  apply<T>(value: T): T
}

/** @param env its secrets are added: variables with a secret's name, and passwords in URLs. */
export function createRedactor(env: Env, secretVariables: readonly string[]): Redactor {
  const replacements = new Map<string, string>()
  let pattern: RegExp | undefined
  const add = (secret: string, replacement = MASK): void => {
    pattern = undefined
    for (const form of formsOf(secret))
      if (form.length >= MIN_LENGTH && !replacements.has(form)) replacements.set(form, replacement)
  }
  const redact = (text: string): string => {
    pattern ??= anyOf([...replacements.keys()])
    const whole = text.replace(pattern, secret => replacements.get(secret) ?? MASK).replace(URL_USER, `$1${MASK}@`)
    return whole.includes(CUT) ? [...replacements.keys()].reduce(redactCut, whole) : whole
  }
  for (const [name, value = ''] of Object.entries(env)) {
    for (const secret of userOf(value)) add(secret)
    if (!secretVariables.includes(name) && !SECRET_VARIABLE.test(name)) continue
    // `LARDER_SECRET=new,old`
    for (const secret of [value, ...value.split(',')]) add(secret, `\${${name}}`)
  }
  const applyTo = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value)
    if (Array.isArray(value)) return value.map(applyTo)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [redact(key), applyTo(inner)]))
  }
  return { add, apply: <T>(value: T) => applyTo(value) as T }
}

/** The longest first: a secret may contain another one. */
function anyOf(secrets: readonly string[]): RegExp {
  const sorted = secrets.toSorted((a, b) => b.length - a.length)
  // An empty list would match everywhere.
  return new RegExp(sorted.map(secret => secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|') || '(?!)', 'g')
}

/** The secret as it is, and as text inside JSON and URLs. */
const formsOf = (secret: string): Set<string> =>
  new Set([secret, secret.trim(), JSON.stringify(secret).slice(1, -1), convert(secret, encodeURIComponent)])

/** User and password of a URL, as written and decoded. */
function userOf(text: string): string[] {
  if (!text.includes('@') || !URL.canParse(text)) return []
  const { password, username } = new URL(text)
  const secrets = password === '' ? [username] : [password, `${username}:${password}`]
  return secrets.flatMap(secret => [secret, convert(secret, decodeURIComponent)])
}

/** Returns the text itself if it isn't valid for `work`. */
function convert(text: string, work: (text: string) => string): string {
  try {
    return work(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** Removes the start of a long secret that was cut off with `…`. */
function redactCut(text: string, secret: string): string {
  if (secret.length <= MIN_CUT_LENGTH) return text
  const start = secret.slice(0, MIN_CUT_LENGTH)
  for (let from = text.indexOf(start); from >= 0; from = text.indexOf(start, from + 1)) {
    let length = MIN_CUT_LENGTH
    while (length < secret.length && text[from + length] === secret[length]) length++
    if (text.startsWith(CUT, from + length))
      return redactCut(text.slice(0, from) + MASK + text.slice(from + length), secret)
  }
  return text
}

export interface Maskable {
  readonly original: unknown
  readonly masked: unknown
}

/** The strings of `original` that `masked` replaces. */
export function maskedStrings({ original, masked }: Maskable): string[] {
  // A URL is masked in part.
  if (typeof original === 'string') return masked === MASK ? [original] : userOf(original)
  if (Array.isArray(original))
    return original.flatMap((item, index) =>
      maskedStrings({ original: item, masked: Array.isArray(masked) ? masked[index] : masked }),
    )
  if (!isRecord(original)) return []
  return Object.entries(original).flatMap(([key, value]) =>
    maskedStrings({ original: value, masked: isRecord(masked) ? masked[key] : masked }),
  )
}

/** The strings and lists of strings at keys with a secret's name, in a recipe that may be invalid. */
export function namedSecrets(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret ? [value] : userOf(value)
  if (Array.isArray(value)) return value.flatMap(item => namedSecrets(item, isSecret))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => namedSecrets(inner, SECRET_KEY.test(key)))
}

/** Adds what a recipe contains before it is checked, so that no diagnostic shows a secret. Returns the recipe. */
export function addSecretsOf<Source extends ReturnType<typeof readRecipe>>(source: Source, redactor: Redactor): Source {
  const { texts, tree, env } = source
  for (const text of texts.values())
    for (const [, name = ''] of text.matchAll(VARIABLE))
      for (const value of [readVariable(env, name), env[name]]) redactor.add(value ?? '', `\${${name}}`)
  if (tree) for (const secret of namedSecrets(toValue(tree))) redactor.add(secret)
  return source
}

/** Adds the options that are secret by their schema. */
export function addMaskedStrings(checked: CheckedRecipe, redactor: Redactor): void {
  for (const secret of maskedStrings({ original: checked.value, masked: maskRecipe(checked) })) redactor.add(secret)
}
