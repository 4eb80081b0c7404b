/** Compares two checked recipes without a database. */
import type { Logger } from 'pino'
import type { ModuleReport, Ports, RecipeChange, Registrations, Settings } from '../../kernel/internal.ts'
import { type CheckedRecipe, maskRecipe } from '../../kernel/recipe/index.ts'
import { type AppliedRecipe, appliedRecipe, compareRecipes, inspectRecipe } from '../../kernel/runtime/index.ts'
import type { ApiDocument } from '../client/document.ts'
import { compareApis } from './api.ts'
import { pairs } from './pairs.ts'
import { compareValues } from './settings.ts'

export const TOPICS = ['api', 'permissions', 'data', 'profile', 'pages', 'settings'] as const
export type Topic = (typeof TOPICS)[number]
export type RecipeDifferences = Readonly<Record<Topic, readonly RecipeChange[]>>

type Comparison = Registrations['comparisons'][number]
type Compared = ReturnType<Comparison['changesFrom']>[number]

/** A recipe, with what its modules declare. */
interface Inspected {
  readonly document: ApiDocument
  readonly applied: AppliedRecipe
  readonly reports: readonly ModuleReport[]
  /** Module → comparisons. */
  readonly comparisons: ReadonlyMap<string, readonly Comparison[]>
  readonly value: unknown
  readonly masked: unknown
}

export async function inspect(checked: CheckedRecipe, settings: Settings, log: Logger): Promise<Inspected> {
  return inspectRecipe(
    { checked, settings, log },
    ({ access, http, inspector, mailTemplates, registry }: Readonly<Ports>) => ({
      // The server caches its document and may add to it later.
      document: structuredClone(http.openapi()) as ApiDocument,
      applied: appliedRecipe(checked, { access, mailTemplates }),
      reports: inspector.modules(),
      comparisons: new Map(
        registry.collect<readonly Comparison[]>('comparisons').map(({ key, value }) => [key, value] as const),
      ),
      value: checked.value,
      masked: maskRecipe(checked),
    }),
  )
}

export function compareInspected(before: Inspected, after: Inspected): RecipeDifferences {
  const compared = compareModules(before, after)
  const about = (topic: Topic): RecipeChange[] =>
    compared.filter(each => each.topic === topic).map(({ change: { at: _, ...change } }) => change)
  const ofRecipe = compareRecipes(before.applied, after.applied).map(({ of: _, ...change }) => change)
  const isMail = ({ subject }: RecipeChange) => subject.startsWith('mail template ')
  const described = [['roles'], ...compared.flatMap(({ change: { at = [] } }) => at)]
  return {
    api: compareApis(before.document, after.document),
    permissions: [
      ...ofRecipe.filter(change => !isMail(change)),
      ...compareRights(before, after),
      ...about('permissions'),
    ],
    data: [...compareTables(before, after), ...about('data')],
    profile: about('profile'),
    pages: [...ofRecipe.filter(isMail), ...comparePages(before, after), ...about('pages')],
    settings: compareValues(before.value, after.value, [before.masked, after.masked], described),
  }
}

interface ComparedTopic {
  readonly topic: Topic
  readonly change: Compared
}

const compareModules = (before: Inspected, after: Inspected): ComparedTopic[] =>
  [...after.comparisons].flatMap(([module, comparisons]) =>
    comparisons.flatMap(({ topic, changesFrom }, index) => {
      // A module may have several comparisons of a topic, in the same order for each recipe.
      const position = comparisons.slice(0, index).filter(other => other.topic === topic).length
      const former = before.comparisons.get(module)?.filter(other => other.topic === topic)[position]
      return changesFrom(former?.state).map(change => ({ topic, change }))
    }),
  )

/** Compares the permissions that modules declare, and those that routes, sockets and pages require. */
function compareRights(before: Inspected, after: Inspected): RecipeChange[] {
  return [
    ...compareMaps(permissionsOf(before), permissionsOf(after), permission => ({
      subject: `permission ${permission}`,
    })),
    ...compareMaps(rightsOf(before), rightsOf(after), (place, old, now) => ({
      subject: `access to ${place}`,
      detail: `${old} → ${now}`,
      ...(now !== 'public' && { breaks: `callers need ${now}` }),
    })).filter(({ change }) => change === 'change'),
  ]
}

const permissionsOf = ({ reports }: Inspected) =>
  new Map(reports.flatMap(({ permissions }) => permissions.map(({ key, scope }) => [key, scope] as const)))

const rightsOf = ({ reports }: Inspected) =>
  new Map(
    reports.flatMap(({ routes, sockets, pages }) => [
      ...routes.map(({ method, path, allow }) => [`${method} ${path}`, allow.join(', ')] as const),
      ...sockets.map(({ path, allow }) => [`socket ${path}`, allow.join(', ')] as const),
      ...pages.map(({ path, allow }) => [`page ${path}`, allow.join(', ')] as const),
    ]),
  )

const comparePages = (before: Inspected, after: Inspected): RecipeChange[] =>
  compareMaps(pagesOf(before), pagesOf(after), (path, old, now) => ({
    subject: `page ${path}`,
    ...(now === undefined && { breaks: `${path} is 404` }),
    ...(old !== undefined && now !== undefined && { detail: `template ${old} → ${now}` }),
  }))

const pagesOf = ({ reports }: Inspected) =>
  new Map(reports.flatMap(({ pages }) => pages.map(({ path, name }) => [path, name] as const)))

/** Compares modules and their tables. Those of a removed module stay. */
const compareTables = (before: Inspected, after: Inspected): RecipeChange[] =>
  compareMaps(tablesOf(before), tablesOf(after), (module, old, now) => ({
    subject: `module ${module}`,
    ...(old === undefined && now && { detail: `tables: ${now}` }),
    ...(old !== undefined && now !== undefined && { detail: `migrations ${old || 'none'} → ${now || 'none'}` }),
    ...(now === undefined && {
      breaks: `removes its routes, pages, jobs and permissions${old ? '; its tables stay, but nothing reads them' : ''}`,
    }),
  }))

const tablesOf = ({ reports }: Inspected) =>
  new Map(reports.map(({ name, migrations }) => [name, migrations.map(each => each.name).join(', ')]))

type Described = Omit<RecipeChange, 'change'>

function compareMaps(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  describe: (key: string, old: string | undefined, now: string | undefined) => Described,
): RecipeChange[] {
  return pairs(before, after).flatMap(([key, old, now]): RecipeChange[] => {
    if (old === now) return []
    const change = old === undefined ? 'add' : now === undefined ? 'remove' : 'change'
    return [{ change, ...describe(key, old, now) }]
  })
}
