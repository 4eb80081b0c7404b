/** The colours and sizes of a theme, as CSS custom properties: `accent` of `theme.yaml` is `var(--accent)`. */
import { didYouMean, some } from '../recipe/suggest.ts'
import { legible, textOn } from './contrast.ts'
import { TemplateError, type TemplateProblem } from './engine.ts'
import type { ThemeFile } from './theme-file.ts'

export interface Tokens {
  readonly light: Readonly<Record<string, string>>
  readonly dark: Readonly<Record<string, string>>
}

const NAME = /^[a-z][a-z0-9-]*$/
/** A value that cannot end its own declaration. */
const VALUE = /^[^;{}<>\r\n]{1,200}$/

/**
 * Tokens of a theme over those of the themes that it extends, and the recipe's over all. Throws a TemplateError that
 * names every wrong token.
 * @param files of the theme itself, then of those that it extends.
 */
export function readTokens(files: readonly ThemeFile[], own: Readonly<Record<string, string>>): Tokens {
  const merged = (part: 'tokens' | 'dark') =>
    Object.assign({}, ...files.map(file => file[part]).reverse()) as Record<string, string>
  const light = merged('tokens')
  const problems = [
    ...files.flatMap(file => [...faultsOf(file, 'tokens'), ...faultsOf(file, 'dark')]),
    ...ownFaults(files[0]?.file ?? 'theme.yaml', light, own),
  ]
  if (problems.length > 0) throw new TemplateError(problems)
  // What a product says of its colours holds by day and by night.
  return { light: withText({ ...light, ...own }, own), dark: withText({ ...light, ...merged('dark'), ...own }, own) }
}

/**
 * A product chooses its accent by its brand, not by what can be read: `on-accent` is the text on it, `accent-text` the
 * nearest colour that can stand as text on the page.
 */
function withText(tokens: Readonly<Record<string, string>>, own: Readonly<Record<string, string>>) {
  const { accent, background = '', surface = '' } = tokens
  if (accent === undefined) return tokens
  const chosen = own.accent !== undefined && own['on-accent'] === undefined ? textOn(accent) : undefined
  const text = own['accent-text'] ?? (own.accent === undefined ? tokens['accent-text'] : undefined)
  return {
    ...tokens,
    ...(chosen !== undefined && { 'on-accent': chosen }),
    'accent-text': text ?? legible(accent, [background, surface]),
  }
}

function faultsOf({ file, line, ...values }: ThemeFile, part: 'tokens' | 'dark'): TemplateProblem[] {
  return Object.entries(values[part]).flatMap(([name, value]) =>
    faultsIn(name, value, 'of the theme').map(message => ({ file, line: line(`${part}.${name}`), column: 1, message })),
  )
}

function ownFaults(file: string, known: object, own: Readonly<Record<string, string>>): TemplateProblem[] {
  const say = (message: string) => ({ file, line: 1, column: 1, message })
  return Object.entries(own).flatMap(([name, value]) => {
    const faults = faultsIn(name, value, 'of the recipe').map(say)
    return faults.length > 0 || name in known ? faults : [say(unknownToken(name, Object.keys(known)))]
  })
}

function* eachFault(name: string, value: string, from: string): Generator<string> {
  if (!NAME.test(name)) yield `the token '${name}' ${from} must be lower case, like on-accent`
  if (!VALUE.test(value)) yield `the token '${name}' ${from} must be a CSS value without ; { } < >`
}
const faultsIn = (name: string, value: string, from: string): string[] => [...eachFault(name, value, from)]

function unknownToken(name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known) ?? `it has ${some(known, 30) || 'none'}`
  return `the recipe sets the token '${name}', which this theme does not have: ${hint}`
}

const block = (values: Readonly<Record<string, string>>): string =>
  `:root{${Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`

export const lightCss = ({ light }: Tokens): string => `${block(light)}\n`
export const pageCss = (tokens: Tokens): string =>
  `${block(tokens.light)}\n@media (prefers-color-scheme:dark){${block(tokens.dark)}}\n`
