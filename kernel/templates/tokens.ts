/** `theme.yaml`: the colours and sizes of a theme, as CSS custom properties. */
import { parse } from 'yaml'
import { TemplateError } from './engine.ts'

export interface Tokens {
  readonly light: Readonly<Record<string, string>>
  readonly dark: Readonly<Record<string, string>>
}

const NAME = /^[a-z][a-z0-9-]*$/
/** A value that cannot end its own declaration. */
const VALUE = /^[^;{}<>\r\n]{1,200}$/

/** Reads `theme.yaml` and puts the recipe's tokens over it. Throws a TemplateError that names every wrong token. */
export function readTokens(file: string, yaml: string, own: Readonly<Record<string, string>>): Tokens {
  const { tokens = {}, dark = {} } = (parse(yaml) ?? {}) as { tokens?: object; dark?: object }
  const problems: string[] = []
  const texts = (values: object, from: string) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        if (!NAME.test(name)) problems.push(`the token '${name}' ${from} must be lower case, like on-accent`)
        if (!VALUE.test(String(value)))
          problems.push(`the token '${name}' ${from} must be a CSS value without ; { } < >`)
        return [name, String(value)]
      }),
    )
  const theirs = texts(own, 'of the recipe')
  const light = { ...texts(tokens, 'of the theme'), ...theirs }
  // What a product says of its colours holds by day and by night.
  const night = { ...texts(dark, 'of the theme'), ...theirs }
  if (problems.length > 0) throw new TemplateError(problems.map(message => ({ file, line: 1, column: 1, message })))
  return { light, dark: night }
}

const block = (values: Readonly<Record<string, string>>): string =>
  `:root{${Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`

export const lightCss = ({ light }: Tokens): string => `${block(light)}\n`
export const pageCss = (tokens: Tokens): string =>
  `${block(tokens.light)}\n@media (prefers-color-scheme:dark){${block(tokens.dark)}}\n`
