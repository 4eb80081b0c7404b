/** Colors and sizes of a theme as CSS custom properties: `accent` of `theme.yaml` is `var(--accent)`. */
import { didYouMean, formatList } from '@larder-dev/larder/kernel/internal'
import { legible, textOn } from './contrast.ts'
import { TemplateError, type TemplateProblem } from './engine.ts'
import type { ThemeFile } from './theme-file.ts'
import { hasKind, invalidReason, kindHint, kindOf } from './token-values.ts'

export interface Tokens {
  readonly light: Readonly<Record<string, string>>
  readonly dark: Readonly<Record<string, string>>
}

const NAME = /^[a-z][a-z0-9-]*$/
/** Derived from the accent unless set. */
const DERIVED = 'accent-text'

/** An invalid token and a hint. */
export interface TokenFault {
  readonly name: string
  readonly message: string
  readonly hint?: string
  /** The name is invalid, not the value. */
  readonly unknown?: true
}

/**
 * Merges the tokens of a theme, of the themes that it extends and of the recipe, which takes precedence. Throws a
 * TemplateError that lists every invalid token.
 * @param files of the theme itself, then of those that it extends.
 */
export function readTokens(files: readonly ThemeFile[], own: Readonly<Record<string, string>>): Tokens {
  const light = merged(files, 'tokens')
  const file = files[0]?.file ?? 'theme.yaml'
  const problems = [
    ...themeTokenProblems(files),
    ...recipeTokenFaults(files, own).map(({ message, hint }) => ({
      file,
      line: 1,
      column: 1,
      message: withHint(message, hint),
    })),
  ]
  if (problems.length > 0) throw new TemplateError(problems)
  // Colors of the recipe apply to both color schemes.
  return {
    light: withText({ ...light, ...own }, own),
    dark: withText({ ...light, ...merged(files, 'dark'), ...own }, own),
  }
}

const merged = (files: readonly ThemeFile[], part: 'tokens' | 'dark'): Record<string, string> =>
  Object.assign({}, ...files.map(file => file[part]).reverse())
const withHint = (message: string, hint: string | undefined): string => (hint ? `${message}: ${hint}` : message)

/**
 * A brand color may lack contrast: `on-accent` is the text color on it, and `accent-text` is the nearest color that is
 * legible as text on the page.
 */
function withText(tokens: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) {
  const { accent, background = '', surface = '' } = tokens
  if (accent === undefined) return tokens
  const chosen = own.accent !== undefined && own['on-accent'] === undefined ? textOn(accent) : undefined
  const text = own[DERIVED] ?? (own.accent === undefined ? tokens[DERIVED] : undefined)
  return {
    ...tokens,
    ...(chosen !== undefined && { 'on-accent': chosen }),
    [DERIVED]: text ?? legible(accent, [background, surface]),
  }
}

/** Reports invalid tokens in the `theme.yaml` of the themes. */
export const themeTokenProblems = (files: readonly ThemeFile[]): TemplateProblem[] =>
  files.flatMap((file, index) => {
    const below = merged(files.slice(index + 1), 'tokens')
    const light = { ...below, ...file.tokens }
    return [
      ...problemsIn(file, 'tokens', ([name, value]) => valueFault(name, value, below[name])),
      // A token that only `dark` sets would be unused.
      ...problemsIn(file, 'dark', ([name, value]) => unknownToken(name, light) ?? valueFault(name, value, light[name])),
    ]
  })

function problemsIn(
  file: ThemeFile,
  part: 'tokens' | 'dark',
  faultOf: (token: [name: string, value: string]) => TokenFault | undefined,
): TemplateProblem[] {
  return Object.entries(file[part]).flatMap(token => {
    const fault = faultOf(token)
    return fault
      ? [{ file: file.file, ...file.place(`${part}.${token[0]}`), message: withHint(fault.message, fault.hint) }]
      : []
  })
}

/** Reports invalid tokens of a recipe that uses these themes. */
export function recipeTokenFaults(files: readonly ThemeFile[], own: Readonly<Record<string, string>>): TokenFault[] {
  const known = merged(files, 'tokens')
  return Object.entries(own).flatMap(
    ([name, value]) => valueFault(name, value, known[name]) ?? unknownToken(name, known) ?? [],
  )
}

/** @param inherited the value that it replaces, which determines the kind. */
function valueFault(name: string, value: string, inherited: string | undefined): TokenFault | undefined {
  if (!NAME.test(name)) return { name, message: `the token '${name}' must be lowercase, like on-accent` }
  const reason = invalidReason(value)
  if (reason) return { name, message: `the token '${name}' ${reason}` }
  const kind = inherited === undefined ? undefined : kindOf(inherited)
  if (kind === undefined || hasKind(kind, value)) return undefined
  return { name, message: `the token '${name}' must be a ${kind}, not '${value}'`, hint: kindHint(kind, value) }
}

function unknownToken(name: string, known: object): TokenFault | undefined {
  if (name in known || name === DERIVED) return undefined
  const names = [...Object.keys(known), DERIVED]
  const hint = didYouMean(name, names) ?? `it has ${formatList(names, 30)}`
  return { name, message: `this theme has no token '${name}'`, hint, unknown: true }
}

const block = (values: Readonly<Record<string, string>>): string =>
  `:root{${Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`

/**
 * The styles of mail, with the tokens that it inlines. Mail programs don't know custom properties, so colors of the dark
 * scheme, `var(--dark-accent)`, are replaced here.
 */
export const mailCss = ({ light, dark }: Tokens, css: string): string =>
  `${block(light)}\n${css.replace(/var\(--dark-([a-z0-9-]+)\)/g, (whole, name: string) => dark[name] ?? light[name] ?? whole)}`
export const pageCss = (tokens: Tokens): string =>
  `${block(tokens.light)}\n@media (prefers-color-scheme:dark){${block(tokens.dark)}}\n`
