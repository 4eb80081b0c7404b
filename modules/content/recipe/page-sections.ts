/** Checks what the sections of landing pages name. */
import { didYouMean, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { ICON_NAMES, isIconName } from '../domain/icons.ts'
import { isSafeUrl } from '../domain/menu.ts'
import {
  type CollectionCards,
  isBrowsable,
  LANDING,
  LINK_PARAMETER,
  type PageSection,
  queryOf,
} from '../records/page-section.ts'

/** The pages of a recipe. */
type Pages = Readonly<Record<string, { readonly template?: string; readonly sections?: readonly PageSection[] }>>
type Recipe = Pick<ValidatedRecipe, 'complete' | 'locales' | 'modules' | 'pageData'>

/** Names of collections, fields and languages that don't exist, and modules that a section needs. */
export function sectionFaults(recipe: Recipe, pages: Pages): RecipeDiagnostic[] {
  const perPage = Object.entries(pages).flatMap(([slug, page]) => {
    const { sections = [] } = page
    const at = ['pages', slug]
    const misplaced: RecipeDiagnostic[] =
      sections.length > 0 && page.template !== LANDING
        ? [
            {
              path: [...at, 'sections'],
              at: 'key',
              message: `The template ${page.template ?? 'page'} shows no sections`,
              hint: 'Set template: landing',
            },
          ]
        : []
    const heroes = sections.flatMap((section, index) => (section.hero ? [index] : []))
    const repeated = heroes
      .filter(index => index > 0)
      .map(index => ({
        path: [...at, 'sections', index, 'hero'],
        at: 'key' as const,
        message: 'A hero can only be the first section, because it has the title of the page',
        hint: 'Move it to the top, or use features',
      }))
    const browsable = sections.flatMap(({ collection }, index) =>
      collection && isBrowsable(collection) ? [index] : [],
    )
    const clashing = browsable.slice(1).map(index => ({
      path: [...at, 'sections', index, 'collection'],
      at: 'key' as const,
      message: 'Only one section of a page can have search or filters, which are in the query of its address',
      hint: 'Remove search and filters, or move the section to another page',
    }))
    return [
      ...misplaced,
      ...repeated,
      ...clashing,
      ...sections.flatMap((section, index) => [
        ...languageFaults(recipe, section, [...at, 'sections', index]),
        ...iconFaults(section, [...at, 'sections', index]),
        ...moduleFaults(recipe, section, [...at, 'sections', index]),
      ]),
    ]
  })
  return [...perPage, ...targetFaults(pages)]
}

type Path = readonly (string | number)[]

function* textsOf(value: unknown, path: Path): Generator<{ readonly text: object; readonly path: Path }> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    const inner = [...path, Array.isArray(value) ? Number(key) : key]
    if (['title', 'text', 'label'].includes(key) && typeof each === 'object' && each !== null)
      yield { text: each, path: inner }
    else if (key !== 'filter') yield* textsOf(each, inner)
  }
}

/** The languages in which the texts of sections are written. */
export const localesOfSections = (sections: readonly PageSection[]): string[] =>
  [...textsOf(sections, [])].flatMap(({ text }) => Object.keys(text))

function languageFaults({ locales }: Recipe, section: PageSection, at: Path): RecipeDiagnostic[] {
  return [...textsOf(section, at)].flatMap(({ text, path }) =>
    Object.keys(text)
      .filter(locale => !locales.available.includes(locale))
      .map(locale => ({
        path: [...path, locale],
        message: `'${locale}' is not a language of this product`,
        hint: `languages are ${locales.available.join(', ')}`,
        ownFilesOnly: true,
      })),
  )
}

const iconFaults = ({ features }: PageSection, at: Path): RecipeDiagnostic[] =>
  (features?.items ?? []).flatMap(({ icon }, index) =>
    icon !== undefined && isIconName(icon) && !ICON_NAMES.includes(icon)
      ? [
          {
            path: [...at, 'features', 'items', index, 'icon'],
            message: `unknown icon "${icon}"`,
            hint: didYouMean(icon, ICON_NAMES) ?? `Use an emoji, or one of ${ICON_NAMES.join(', ')}`,
          },
        ]
      : [],
  )

/** The targets of the buttons of all pages. */
export const targetsOf = (pages: Pages): { readonly target: string; readonly path: Path }[] =>
  Object.entries(pages).flatMap(([slug, { sections = [] }]) =>
    sections.flatMap(({ hero, collection }, index) => [
      ...(hero?.actions ?? []).map(({ path }, action) => ({
        target: path,
        path: ['pages', slug, 'sections', index, 'hero', 'actions', action, 'path'],
      })),
      ...(collection?.more
        ? [{ target: collection.more.path, path: ['pages', slug, 'sections', index, 'collection', 'more', 'path'] }]
        : []),
    ]),
  )

const targetFaults = (pages: Pages): RecipeDiagnostic[] =>
  targetsOf(pages)
    .filter(({ target }) => !isSafeUrl(target))
    .map(({ path }) => ({ path, message: 'is not a valid URL', hint: 'Use a path such as /about, or https://…' }))

function moduleFaults(recipe: Recipe, { plans, collection }: PageSection, at: Path): RecipeDiagnostic[] {
  if (!recipe.complete) return []
  if (plans && !recipe.modules.some(({ module }) => module.sections && 'plans' in module.sections))
    return [
      {
        path: [...at, 'plans'],
        at: 'key',
        message: 'This recipe has no module billing',
        hint: 'Add billing to modules',
      },
    ]
  return collection ? collectionFaults(recipe, collection, [...at, 'collection']) : []
}

function collectionFaults(recipe: Recipe, section: CollectionCards, at: Path): RecipeDiagnostic[] {
  const check = recipe.pageData()
  if (!check)
    return [
      {
        path: [...at, 'collection'],
        message: 'This recipe has no module collections',
        hint: 'Add collections: {} to modules',
      },
    ]
  const { mistakes, shape } = check.query(queryOf(section))
  if (mistakes.length > 0)
    return mistakes.map(mistake => {
      const isName = mistake.startsWith('unknown collection')
      const [message = mistake, ...hint] = isName ? mistake.split(/\. (?=Did)/) : [mistake]
      return { path: isName ? [...at, 'collection'] : at, message, ...(hint[0] && { hint: hint[0] }) }
    })
  const fields = fieldsOf(shape)
  if (!fields) return []
  const named = [
    ...Object.entries(section.card).flatMap(([key, field]) =>
      typeof field === 'string' ? [{ field, path: [...at, 'card', key] }] : [],
    ),
    ...[...(section.link ?? '').matchAll(LINK_PARAMETER)].map(([, field = '']) => ({ field, path: [...at, 'link'] })),
  ]
  return named
    .filter(({ field }) => !fields.includes(field))
    .map(({ field, path }) => ({
      path,
      message: `${section.collection} has no field "${field}" that visitors may read`,
      hint: didYouMean(field, fields) ?? `fields are ${fields.join(', ')}`,
    }))
}

/** The fields of the rows of a list. */
function fieldsOf(
  list: ReturnType<NonNullable<ReturnType<Recipe['pageData']>>['query']>['shape'],
): string[] | undefined {
  const rows = list && 'keys' in list ? list.keys.data : undefined
  const row = rows && 'items' in rows ? rows.items : undefined
  return row && 'keys' in row ? Object.keys(row.keys) : undefined
}
