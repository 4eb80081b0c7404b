/** The sections of a landing page, as its template shows them. */
import { type LocalText, pickText, type SiteAnswer } from '@larder-dev/larder/kernel'
import { drawingOf } from '../domain/icons.ts'
import {
  type CollectionCards,
  isBrowsable,
  LINK_PARAMETER,
  type PageSection,
  queryOf,
} from '../records/page-section.ts'

type Shown = Pick<Extract<SiteAnswer, { data: unknown }>, 'data' | 'rows'>
type Row = Readonly<Record<string, unknown>>
type Translate = (text: LocalText | undefined) => string | null

/** @param data of the page, which has its heading. */
export function showSections(
  data: Shown['data'],
  sections: readonly PageSection[],
  locale: string,
  standard: string,
): Shown {
  const translate: Translate = text => (text === undefined ? null : pickText(text, locale, standard))
  const queries = Object.fromEntries(
    sections.flatMap(({ collection }, index) => (collection ? [[String(index), queryOf(collection)]] : [])),
  )
  const toData = (results: Readonly<Record<string, unknown>>) => ({
    ...data,
    sections: sections.map((section, index) =>
      toView(section, index, translate, results[String(index)] as List | undefined),
    ),
  })
  return Object.keys(queries).length > 0 ? { data, rows: { queries, toData } } : { data: toData({}) }
}

/** The first text of a hero. */
export function promiseOf(sections: readonly PageSection[], locale: string, standard: string): string | undefined {
  const text = sections.find(({ hero }) => hero?.text !== undefined)?.hero?.text
  return text === undefined ? undefined : pickText(text, locale, standard)
}

/** The result of a query, with what the partials of lists read. */
type List = { readonly data?: readonly Row[] } & Readonly<Record<string, unknown>>

function toView(section: PageSection, index: number, translate: Translate, list: List | undefined) {
  const { hero, features, plans, collection } = section
  const { title, text } = features ?? plans ?? collection ?? {}
  const actions = (hero?.actions ?? []).map(({ label, path }) => ({ label: translate(label), path }))
  return {
    kind: Object.keys(section)[0],
    id: `section-${index + 1}`,
    title: translate(title),
    text: translate(hero?.text ?? text),
    actions,
    features: features?.items.map(({ title: name, text: about, icon }) => {
      const drawing = icon === undefined ? undefined : drawingOf(icon)
      return {
        title: translate(name),
        text: translate(about),
        // A custom theme without drawings would show the name of the icon as text.
        icon: drawing === undefined ? (icon ?? null) : null,
        drawing: drawing ?? null,
      }
    }),
    cards: collection ? (list?.data ?? []).map(row => toCard(collection, row)) : [],
    list: collection && isBrowsable(collection) ? list : null,
    isFiltered: list?.isFiltered === true,
    more: collection?.more ? { label: translate(collection.more.label), path: collection.more.path } : null,
  }
}

function toCard({ card, link }: CollectionCards, row: Row) {
  const textOf = (field: string | undefined) => {
    const value = field === undefined ? undefined : row[field]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  }
  return {
    title: textOf(card.title) ?? '',
    text: textOf(card.text),
    image: textOf(card.image),
    facts: row.facts ?? [],
    link: link === undefined ? null : pathOf(link, row),
  }
}

/** Null if the row lacks a value, such as the slug of a title without letters. */
function pathOf(link: string, row: Row): string | null {
  const values = [...link.matchAll(LINK_PARAMETER)].map(([, field = '']) => row[field])
  if (values.some(value => value === null || value === undefined || value === '')) return null
  return link.replace(LINK_PARAMETER, (_, field: string) => encodeURIComponent(String(row[field])))
}
