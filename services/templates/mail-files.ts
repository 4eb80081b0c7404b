/**
 * Finds mail templates: `welcome.hbs`, per locale `welcome.de.hbs`, and where the text is not to be made from the
 * HTML `welcome.text.hbs`, `welcome.de.text.hbs`.
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
/** A template of the recipe, in the place of a module's or beside them. The files of its other locales stand beside it. */
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
  /** Who brings it: a module, or `recipe`. */
  readonly source: string
  /** Locale, or '' for the product's default one, → file. */
  readonly bodies: Map<string, MailFile>
  readonly texts: Map<string, MailFile>
}

const NAME = /^([a-z][a-z0-9_-]*?)(?:\.([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*))?(\.text)?\.hbs$/
/** Bytes of one template. */
const LARGEST = 256 * 1024

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
      take(join(path, file), name => `${module}.${name}`, module)
  }
  for (const { key, file } of overrides) {
    families.delete(key)
    if (!existsSync(file)) problems.push({ file, line: 1, column: 1, message: 'there is no such file' })
    else for (const sibling of family(file)) take(sibling, () => key, 'recipe')
  }
  for (const { key, bodies, texts } of families.values())
    if (!bodies.has('')) {
      const { file } = [...bodies.values(), ...texts.values()][0] as MailFile
      problems.push({ file, line: 1, column: 1, message: `${key} has no template without a locale in its name` })
    }
  return { families, problems }

  function take(file: string, keyOf: (name: string) => string, source: string): void {
    const [, name = '', locale = '', text] = NAME.exec(basename(file)) ?? []
    if (!name) {
      const message = 'name a template like welcome.hbs, welcome.de.hbs or welcome.text.hbs, in lower case'
      problems.push({ file, line: 1, column: 1, message })
      return
    }
    const content = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
    if (content.length > LARGEST)
      problems.push({ file, line: 1, column: 1, message: `a template has at most ${LARGEST} characters` })
    else {
      const key = keyOf(name)
      const found = families.get(key) ?? { key, source, bodies: new Map(), texts: new Map() }
      families.set(key, found)
      found[text ? 'texts' : 'bodies'].set(locale, { file, text: content })
    }
  }
}

/** The file itself and the other locales and texts of its name. */
function family(file: string): string[] {
  const folder = dirname(file)
  const name = NAME.exec(basename(file))?.[1]
  if (!name) return [file]
  return readdirSync(folder)
    .filter(other => NAME.exec(other)?.[1] === name)
    .map(other => join(folder, other))
}
