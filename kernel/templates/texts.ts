/** `{{text 'Sign in'}}`: what pages say, in the reader's language where the theme knows it, else as it stands there. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Helper } from './engine.ts'
import { readTemplate, refused } from './theme-file.ts'

type Texts = Readonly<Record<string, string>>

/** `texts/de.yaml` of each folder: the text as it stands in templates → the same in German. Throws a TemplateError. */
export function textsIn(folders: readonly string[]): Helper {
  const known = new Map<string, Texts>()
  for (const folder of folders.toReversed().map(folder => join(folder, 'texts')))
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (name.endsWith('.yaml')) {
        const locale = name.slice(0, -'.yaml'.length)
        known.set(locale, { ...known.get(locale), ...readTexts(join(folder, name)) })
      }
  return (locale, text, ...values) => {
    const key = String(text)
    const [language = locale] = locale.split('-')
    const found = own(known.get(locale), key) ?? own(known.get(language), key) ?? key
    return found.replace(/\{(\d)\}/g, (whole, at: string) =>
      Number(at) < values.length ? String(values[Number(at)]) : whole,
    )
  }
}

const own = (texts: Texts | undefined, key: string): string | undefined =>
  texts && Object.hasOwn(texts, key) ? texts[key] : undefined

function readTexts(file: string): Texts {
  let values: unknown
  try {
    values = parse(readTemplate(file), { maxAliasCount: 0 }) ?? {}
  } catch (error) {
    throw refused(file, 1, (error as Error).message.split('\n')[0] as string)
  }
  const texts = Object.entries(values as object)
  if (texts.some(([, text]) => typeof text !== 'string'))
    throw refused(file, 1, 'this file says one text for another: "Sign in": Anmelden')
  return Object.fromEntries(texts) as Texts
}
