/**
 * Finds mail templates: `welcome.hbs`, per locale `welcome.de.hbs`, and plain text versions such as `welcome.text.hbs`.
 * Without a plain text version, the text is generated from the HTML.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TemplateProblem } from './engine.ts'

/** The templates of a module. */
export interface MailSet {
  readonly module: string
  readonly folder: URL
}
/** A template of the recipe: replaces one of a module or adds one. Its other locales are in the same folder. */
export interface MailOverride {
  readonly key: string
  readonly file: string
}
export interface MailFile {
  readonly file: string
  readonly text: string
}
/** All files of one key. */
export interface MailFamily {
  readonly key: string
  /** The module that owns it, or `recipe`. */
  readonly source: string
  /** A module has a template with this key, which the recipe may replace. */
  readonly ofModule: boolean
  /** Locale, or '' for the product's default one, → file. */
  readonly bodies: Map<string, MailFile>
  readonly texts: Map<string, MailFile>
}

const NAME = /^([a-z][a-z0-9_-]*?)(?:\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*))?(\.text)?\.hbs$/
/** Characters. */
const MAX_TEMPLATE_LENGTH = 256 * 1024

export function findMail(
  sets: readonly MailSet[],
  overrides: readonly MailOverride[],
): { families: Map<string, MailFamily>; problems: TemplateProblem[] } {
  const families = new Map<string, MailFamily>()
  const problems: TemplateProblem[] = []
  for (const { module, folder } of sets) {
    const path = fileURLToPath(folder)
    if (!existsSync(path)) continue
    for (const file of readdirSync(path)
      .filter(name => name.endsWith('.hbs'))
      .sort())
      addFile(join(path, file), name => `${module}.${name}`, module, true)
  }
  for (const { key, file } of overrides) {
    const ofModule = families.delete(key)
    if (!existsSync(file)) problems.push({ file, line: 1, column: 1, message: 'this file does not exist' })
    else for (const sibling of family(file)) addFile(sibling, () => key, 'recipe', ofModule)
  }
  for (const { key, bodies, texts } of families.values())
    if (!bodies.has('')) {
      const { file } = [...bodies.values(), ...texts.values()][0] as MailFile
      problems.push({
        file,
        line: 1,
        column: 1,
        message: `${key} has no template for the default language: a file without a locale in its name`,
      })
    }
  return { families, problems }

  function addFile(file: string, keyOf: (name: string) => string, source: string, ofModule: boolean): void {
    const [, name = '', locale = '', text] = NAME.exec(basename(file)) ?? []
    if (!name) {
      const message = 'name a template like welcome.hbs, welcome.de.hbs or welcome.text.hbs, in lowercase'
      problems.push({ file, line: 1, column: 1, message })
      return
    }
    const content = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
    if (content.length > MAX_TEMPLATE_LENGTH)
      problems.push({
        file,
        line: 1,
        column: 1,
        message: `a template must not exceed ${MAX_TEMPLATE_LENGTH} characters`,
      })
    else {
      const key = keyOf(name)
      const found = families.get(key) ?? { key, source, ofModule, bodies: new Map(), texts: new Map() }
      families.set(key, found)
      found[text ? 'texts' : 'bodies'].set(locale, { file, text: content })
    }
  }
}

/** Returns the file and its other locales and plain text versions. */
function family(file: string): string[] {
  const folder = dirname(file)
  const name = NAME.exec(basename(file))?.[1]
  if (!name) return [file]
  return readdirSync(folder)
    .filter(other => NAME.exec(other)?.[1] === name)
    .map(other => join(folder, other))
}
