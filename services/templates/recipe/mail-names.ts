/** Checks the keys of a recipe's mail templates, and the names that they insert, against the templates that they replace. */
import { existsSync } from 'node:fs'
import { type ActionRecipe, didYouMean, isRecord, type RecipeDiagnostic } from '@larder-dev/larder/kernel'
import Handlebars from 'handlebars'
import { type FrontMatter, RESERVED_NAMES, readFrontMatter } from '../front-matter.ts'
import { HELPERS } from '../helpers.ts'
import { findMail, type MailFamily, type MailFile, type MailOverride } from '../mail-files.ts'
import { type ValidatedTemplates, validOverrides } from './references.ts'

export function mailNameFaults(recipe: ValidatedTemplates): RecipeDiagnostic[] {
  const overrides = validOverrides(recipe).filter(({ file }) => existsSync(file))
  if (overrides.length === 0) return []
  const sets = recipe.modules.flatMap(({ key, module }) =>
    module.emails ? [{ module: key, folder: module.emails }] : [],
  )
  const { families } = findMail(sets, [])
  return overrides.flatMap(override => {
    const replaced = families.get(override.key)
    return replaced ? nameFaults(override, replaced) : keyFaults(recipe, override.key, [...families.keys()])
  })
}

/** A mail template, as a step of a recipe names it. */
export interface DeclaredMailTemplate {
  readonly key: string
  /** The names of data that it inserts. A mail without one of them fails. */
  readonly names: readonly string[]
}
type Templates = ReadonlyMap<string, DeclaredMailTemplate>
/** The check of a recipe asks once for each step that sends mail. */
const known = new WeakMap<object, Templates>()

/** The templates of the modules, and those that the recipe adds or replaces. */
export function declaredMailTemplates(recipe: ActionRecipe): Templates {
  const found = known.get(recipe) ?? readTemplates(recipe)
  known.set(recipe, found)
  return found
}

function readTemplates({ modules, section, resolveFile, isEntirelyValid }: ActionRecipe): Templates {
  const sets = modules.flatMap(({ key, module }) => (module.emails ? [{ module: key, folder: module.emails }] : []))
  const emails = isEntirelyValid(['emails']) ? ((section('emails') ?? {}) as Readonly<Record<string, MailEntry>>) : {}
  const overrides = Object.entries(emails).map(([key, { template }]) => ({
    key,
    file: resolveFile(['emails', key, 'template'], template),
  }))
  const { families } = findMail(sets, overrides)
  return new Map([...families].map(([key, family]) => [key, { key, names: dataNames(family) }]))
}
interface MailEntry {
  readonly template: string
}

const dataNames = (family: MailFamily): string[] => {
  const used = filesOf(family).flatMap(file => namesIn(file).map(({ name }) => name.split('.')[0] as string))
  return [...new Set(used)].filter(name => !(RESERVED_NAMES as readonly string[]).includes(name))
}

/** A new key is valid, but one in the namespace of a module is probably a mistake. */
function keyFaults(
  { modules, complete }: ValidatedTemplates,
  key: string,
  known: readonly string[],
): RecipeDiagnostic[] {
  const near = didYouMean(key, known)
  const isOfModule = modules.some(module => key.startsWith(`${module.key}.`))
  if (!complete || (!isOfModule && near === undefined)) return []
  return [
    {
      severity: 'warning',
      code: 'unknown_mail_template',
      path: ['emails', key],
      at: 'key',
      message: `No module sends the mail template "${key}"`,
      ...(near && { hint: near }),
    },
  ]
}

/** A name that the data lacks makes every such mail fail. */
function nameFaults({ key, file }: MailOverride, replaced: MailFamily): RecipeDiagnostic[] {
  const known = knownNames(replaced)
  const own = findMail([], [{ key, file }]).families.get(key)
  return filesOf(own).flatMap(mail =>
    namesIn(mail)
      .filter(({ name }) => !known.has(name))
      .map(({ name, line, column }): RecipeDiagnostic => {
        const hint =
          didYouMean(name, known.all) ?? (known.all.length > 0 ? `Names are ${known.all.join(', ')}` : undefined)
        return {
          code: 'unknown_template_name',
          path: ['emails', key, 'template'],
          place: { file: mail.file, line, column },
          message: `Unknown name "${name}" in mail template "${key}"`,
          ...(hint && { hint }),
        }
      }),
  )
}

/** The names that the replaced template inserts, and those of its sample data. */
function knownNames(family: MailFamily) {
  const used = new Set(filesOf(family).flatMap(file => namesIn(file).map(({ name }) => name)))
  const samples: Readonly<Record<string, unknown>> = Object.assign(
    { product: { key: '', name: '', publicUrl: '' }, locale: '' },
    ...filesOf(family).map(({ file, text }) => readFrontMatter(file, text).frontMatter?.sample ?? {}),
  )
  const all = [...new Set([...used, ...Object.keys(samples)])].sort()
  return { all, has: (name: string) => used.has(name) || isInSample(samples, name.split('.')) }
}

/** Values other than maps may have any property. */
function isInSample(sample: unknown, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined || !isRecord(sample)) return true
  return Object.hasOwn(sample, first) && isInSample(sample[first], rest)
}

const filesOf = (family: MailFamily | undefined): MailFile[] =>
  family ? [...family.bodies.values(), ...family.texts.values()] : []

interface Name {
  readonly name: string
  readonly line: number
  readonly column: number
}

/** The names of data in a file. Names inside `each` and `with` belong to other data. */
function namesIn({ file, text }: MailFile): Name[] {
  const isPlain = file.endsWith('.text.hbs')
  const frontMatter = isPlain ? undefined : readFrontMatter(file, text).frontMatter
  if (!frontMatter && !isPlain) return []
  const parts = frontMatter ? partsOf(frontMatter) : [{ text, line: 1 }]
  return parts.flatMap(part => {
    try {
      const collector = new NameCollector()
      collector.accept(Handlebars.parse(part.text))
      return collector.names.map(name => ({ ...name, line: name.line + part.line - 1 }))
    } catch {
      // Compiling the template reports the error.
      return []
    }
  })
}

const partsOf = ({ subject, preheader, body, bodyLine, line }: FrontMatter) => [
  { text: subject, line: line('subject') },
  ...(preheader === undefined ? [] : [{ text: preheader, line: line('preheader') }]),
  { text: body, line: bodyLine },
]

const BLOCK_HELPERS = ['if', 'unless', 'each', 'with', 'lookup', 'log']
const isHelper = (name: string): boolean => BLOCK_HELPERS.includes(name) || Object.hasOwn(HELPERS, name)

class NameCollector extends Handlebars.Visitor {
  readonly names: Name[] = []
  /** Blocks that change the context. */
  #depth = 0
  #locals: readonly string[] = []

  override PathExpression(path: hbs.AST.PathExpression): void {
    const [first] = path.parts
    if (path.data || first === undefined || path.depth !== this.#depth || isHelper(path.original)) return
    if (this.#locals.includes(first)) return
    const { line, column } = path.loc.start
    this.names.push({ name: path.parts.join('.'), line, column: column + 1 })
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    const changesContext = ['each', 'with'].includes((block.path as hbs.AST.PathExpression).original)
    const outer = this.#locals
    this.acceptArray(block.params)
    this.#depth += changesContext ? 1 : 0
    this.#locals = [...outer, ...(block.program?.blockParams ?? [])]
    if (block.program) this.accept(block.program)
    this.#depth -= changesContext ? 1 : 0
    this.#locals = outer
    if (block.inverse) this.accept(block.inverse)
  }

  /** The name of a partial is not a name of data. */
  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    this.acceptArray(partial.params)
  }
}
