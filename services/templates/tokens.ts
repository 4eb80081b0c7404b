/** The colours and sizes of a theme, as CSS custom properties: `accent` of `theme.yaml` is `var(--accent)`. */
import { didYouMean, some } from 'larder/kernel'
import { legible, textOn } from './contrast.ts'
import { TemplateError, type TemplateProblem } from './engine.ts'
import type { ThemeFile } from './theme-file.ts'
import { brokenValue, example, isOf, kindOf } from './token-values.ts'

export interface Tokens {
  readonly light: Readonly<Record<string, string>>
  readonly dark: Readonly<Record<string, string>>
}

const NAME = /^[a-z][a-z0-9-]*$/
/** Made of the accent where nobody sets it: every theme has it. */
const DERIVED = 'accent-text'

/** A token that cannot be used, and what would be right. */
export interface TokenFault {
  readonly name: string
  readonly message: string
  readonly hint?: string
  /** The name is wrong, not the value. */
  readonly unknown?: true
}

/**
 * Tokens of a theme over those of the themes that it extends, and the recipe's over all. Throws a TemplateError that
 * names every wrong token.
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
      message: said(message, hint),
    })),
  ]
  if (problems.length > 0) throw new TemplateError(problems)
  // What a product says of its colours holds by day and by night.
  return {
    light: withText({ ...light, ...own }, own),
    dark: withText({ ...light, ...merged(files, 'dark'), ...own }, own),
  }
}

const merged = (files: readonly ThemeFile[], part: 'tokens' | 'dark'): Record<string, string> =>
  Object.assign({}, ...files.map(file => file[part]).reverse())
const said = (message: string, hint: string | undefined): string => (hint ? `${message}: ${hint}` : message)

/**
 * A product chooses its accent by its brand, not by what can be read: `on-accent` is the text on it, `accent-text` the
 * nearest colour that can stand as text on the page.
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

/** What is wrong with the tokens of the themes themselves, in their `theme.yaml`. */
export const themeTokenProblems = (files: readonly ThemeFile[]): TemplateProblem[] =>
  files.flatMap((file, index) => {
    const below = merged(files.slice(index + 1), 'tokens')
    const light = { ...below, ...file.tokens }
    return [
      ...problemsIn(file, 'tokens', ([name, value]) => valueFault(name, value, below[name])),
      // By night alone nothing would use it.
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
      ? [{ file: file.file, ...file.place(`${part}.${token[0]}`), message: said(fault.message, fault.hint) }]
      : []
  })
}

/** What is wrong with the tokens that a recipe sets over those of these themes. */
export function recipeTokenFaults(files: readonly ThemeFile[], own: Readonly<Record<string, string>>): TokenFault[] {
  const known = merged(files, 'tokens')
  return Object.entries(own).flatMap(
    ([name, value]) => valueFault(name, value, known[name]) ?? unknownToken(name, known) ?? [],
  )
}

/** @param usual the value that it replaces, which says of what kind it is. */
function valueFault(name: string, value: string, usual: string | undefined): TokenFault | undefined {
  if (!NAME.test(name)) return { name, message: `the token '${name}' must be lower case, like on-accent` }
  const broken = brokenValue(value)
  if (broken) return { name, message: `the token '${name}' ${broken}` }
  const kind = usual === undefined ? undefined : kindOf(usual)
  if (kind === undefined || isOf(kind, value)) return undefined
  return { name, message: `the token '${name}' is a ${kind}, and '${value}' is none`, hint: example(kind, value) }
}

function unknownToken(name: string, known: object): TokenFault | undefined {
  if (name in known || name === DERIVED) return undefined
  const names = [...Object.keys(known), DERIVED]
  const hint = didYouMean(name, names) ?? `it has ${some(names, 30)}`
  return { name, message: `this theme has no token '${name}'`, hint, unknown: true }
}

const block = (values: Readonly<Record<string, string>>): string =>
  `:root{${Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`

export const lightCss = ({ light }: Tokens): string => `${block(light)}\n`
export const pageCss = (tokens: Tokens): string =>
  `${block(tokens.light)}\n@media (prefers-color-scheme:dark){${block(tokens.dark)}}\n`
