/** All pages as a tree by their paths, with their languages and states. */

import { useMemo, useState } from 'react'
import {
  type Api,
  areaCrumbs,
  Badge,
  Button,
  createTitle,
  EmptyState,
  FilterSelect,
  fill,
  formatDate,
  inSentence,
  ListContent,
  LoadMore,
  languageName,
  NoMatches,
  newUrl,
  Page,
  RecordCommands,
  type Resource,
  type ResourceScreenProps,
  recordUrl,
  ScreenLink,
  TypedInput,
  useRows,
  useTexts,
} from '../../public.ts'
import { useChoices } from './choices.ts'
import { buildTree, isChanged, type ListedNode, listNodes } from './pages.ts'
import { useContentTexts } from './texts.ts'
import './content.css'

const STATUSES = ['draft', 'scheduled', 'published'] as const
const ALL = { text: '', status: '', locale: '' }

export default function PageList({ resource }: ResourceScreenProps) {
  const t = useTexts()
  const c = useContentTexts()
  const choices = useChoices()
  const list = useRows<'/v1/content/pages'>(resource, {}, {}, true)
  const { rows: pages } = list
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [filter, setFilter] = useState(ALL)
  const tree = useMemo(() => buildTree(pages, choices.locales.default), [pages, choices.locales.default])
  const isFiltered = Object.values(filter).some(value => value.trim() !== '')
  const listed = listNodes(tree, closed, isFiltered ? filter : undefined)
  const locales = [...new Set(pages.map(({ locale }) => locale))].sort()
  const create = resource.operations.create && (
    <ScreenLink className="button primary" to={newUrl(resource)}>
      {createTitle(resource, t)}
    </ScreenLink>
  )
  const toggle = (slug: string) => {
    const next = new Set(closed)
    if (!next.delete(slug)) next.add(slug)
    setClosed(next)
  }
  return (
    <Page title={resource.title} crumbs={areaCrumbs(resource.module)} actions={create}>
      <ListContent
        list={list}
        isEmpty={pages.length === 0}
        empty={
          <EmptyState
            icon="file-text"
            title={t('empty', { title: inSentence(resource.title) })}
            text={t(resource.operations.create ? 'emptyCreateText' : 'emptyText')}
          >
            {create}
          </EmptyState>
        }
      >
        <search className="toolbar">
          <TypedInput label={c.searchPages} value={filter.text} onChange={text => setFilter({ ...filter, text })} />
          <FilterSelect
            label={c.status}
            value={filter.status}
            all={c.anyStatus}
            options={STATUSES.map(status => [status, c[status]])}
            onChange={status => setFilter({ ...filter, status })}
          />
          {locales.length > 1 && (
            <FilterSelect
              label={c.language}
              value={filter.locale}
              all={c.anyLanguage}
              options={locales.map(locale => [locale, languageName(locale)])}
              onChange={locale => setFilter({ ...filter, locale })}
            />
          )}
        </search>
        {listed.length === 0 ? (
          <NoMatches onClear={() => setFilter(ALL)} />
        ) : (
          <div className="tree-scroll panel">
            <table className="tree">
              <thead>
                <tr>
                  <th scope="col">{c.pageTitle}</th>
                  <th scope="col" className="wide">
                    {c.address}
                  </th>
                  <th scope="col">{c.status}</th>
                  <th scope="col" className="wide">
                    {c.languages}
                  </th>
                  <th scope="col" className="wide">
                    {c.updated}
                  </th>
                  <th>
                    <span className="visually-hidden">{t('actions')}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {listed.map(row => (
                  <TreeRow
                    key={row.node.main.id}
                    row={row}
                    resource={resource}
                    isClosed={!isFiltered && closed.has(row.node.main.slug)}
                    onToggle={() => toggle(row.node.main.slug)}
                  >
                    {row.node.main.editable && (
                      <RecordCommands resource={resource} record={row.node.main} label={row.node.main.title} />
                    )}
                  </TreeRow>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <p className="list-footer muted" role="status">
          {fill(c.countPages, { count: pages.length })}
          <LoadMore list={list} />
        </p>
      </ListContent>
    </Page>
  )
}

interface RowProps {
  readonly row: ListedNode
  readonly resource: Resource
  readonly isClosed: boolean
  readonly onToggle: () => void
  readonly children: React.ReactNode
}

function TreeRow({ row: { node, depth }, resource, isClosed, onToggle, children }: RowProps) {
  const c = useContentTexts()
  const { main, translations } = node
  return (
    <tr>
      <th scope="row">
        <span className="tree-cell" style={{ paddingInlineStart: depth * 20 }}>
          {node.children.length > 0 ? (
            <Button
              kind="quiet"
              icon={isClosed ? 'chevron-right' : 'chevron-down'}
              aria-expanded={!isClosed}
              label={fill(isClosed ? c.expand : c.collapse, { name: main.title })}
              onPress={onToggle}
            />
          ) : (
            <span className="tree-leaf" />
          )}
          <ScreenLink className="row-link" to={recordUrl(resource, main.id)}>
            {main.title}
          </ScreenLink>
        </span>
      </th>
      <td className="wide">
        <code>{main.path}</code>
      </td>
      <td>
        <PageStatus page={main} />
      </td>
      <td className="wide">
        <span className="row">
          {translations.map(page => (
            <ScreenLink
              key={page.id}
              className={`locale-chip ${page.status}`}
              to={recordUrl(resource, page.id)}
              aria-label={`${page.title}: ${languageName(page.locale)}, ${c[page.status]}`}
            >
              {page.locale}
            </ScreenLink>
          ))}
        </span>
      </td>
      <td className="wide muted">{formatDate(main.updatedAt)}</td>
      <td>{children}</td>
    </tr>
  )
}

export function PageStatus({ page }: { readonly page: Api.PageSummary }) {
  const c = useContentTexts()
  return (
    <span className="row">
      <Badge text={page.status} label={c[page.status]} />
      {isChanged(page) && <Badge text="pending" label={c.changed} />}
    </span>
  )
}
