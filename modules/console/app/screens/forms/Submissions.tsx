/** The submissions of a form: one column for each question, spam, export. */

import { useMemo, useState } from 'react'
import {
  type Api,
  api,
  Button,
  Cell,
  type Column,
  ConfirmDialog,
  EmptyState,
  FilterSelect,
  fill,
  formatDate,
  formatNumber,
  getCsv,
  ListContent,
  labelIn,
  moreOf,
  type Resource,
  recordUrl,
  ScreenLink,
  saveFile,
  Table,
  toast,
  useAction,
  useRefresh,
  useRows,
  useTexts,
} from '../../public.ts'
import { answerIn, answersOf, pathOf } from './submissions.ts'
import { type FormTexts, useFormTexts } from './texts.ts'

const SHOWN = ['all', 'false', 'true'] as const
type Shown = (typeof SHOWN)[number]
const filtersOf = (shown: Shown): Readonly<Record<string, string>> => (shown === 'all' ? {} : { 'filter[spam]': shown })
/** Longer answers are cut in a cell. */
const MAX_CELL_LENGTH = 80

/** Columns of the resource that this list has at a place of their own, or not at all. */
const ELSEWHERE = ['createdAt', 'createdBy', 'data', 'formVersion', 'spam', 'spamReason']

interface Props {
  readonly resource: Resource
  readonly form: Api.Form
}

export function Submissions({ resource, form }: Props) {
  const t = useTexts()
  const c = useFormTexts()
  const refresh = useRefresh(resource)
  const [shown, setShown] = useState<Shown>('false')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isDeleting, setDeleting] = useState(false)
  const change = useAction()
  const exporting = useAction()
  const { isBusy } = change
  const filters = useMemo(() => filtersOf(shown), [shown])
  const scope = useMemo(() => ({ id: form.id }), [form.id])
  const list = useRows<'/v1/forms/{id}/submissions'>(resource, { filters }, scope, true)
  const rows = list.rows
  const columns = useMemo(() => columnsOf(resource, form, c), [resource, form, c])
  const { update, delete: remove } = resource.operations
  const chosen = rows.filter(({ id }) => selected.has(id))

  async function runForChosen(call: (row: Api.Submission) => Promise<unknown>, message: string) {
    let done = 0
    await change.run(async () => {
      for (const row of chosen) {
        await call(row)
        done++
      }
    })
    setDeleting(false)
    setSelected(new Set())
    if (done > 0) toast(fill(message, { count: formatNumber(done) }))
    await refresh()
  }
  const mark = (spam: boolean) =>
    runForChosen(
      row => api.patch('/v1/forms/{id}/submissions/{sid}', { path: pathOf(row), body: { spam } }),
      c.markedMany,
    )
  const exportCsv = () =>
    exporting.run(async () => {
      const input = { path: scope, query: shown === 'all' ? {} : { 'filter[spam]': shown === 'true' } }
      saveFile(`${form.name}.csv`, await getCsv('/v1/forms/{id}/submissions', input))
    }, c.exported)
  const canSelect = update !== undefined || remove !== undefined
  return (
    <>
      <div className="toolbar">
        <FilterSelect
          label={c.show}
          value={shown}
          all={null}
          options={[
            ['false', c.withoutSpam],
            ['true', c.spam],
            ['all', c.all],
          ]}
          onChange={chosen => {
            setShown(chosen as Shown)
            setSelected(new Set())
          }}
        />
        <span className="toolbar-space" />
        <Button icon="download" isDisabled={exporting.isBusy || rows.length === 0} onPress={exportCsv}>
          {t('export')}
        </Button>
      </div>
      {chosen.length > 0 && (
        <div className="bulk" role="toolbar" aria-label={t('actions')}>
          <span>{t('selected', { count: chosen.length })}</span>
          {update && chosen.some(({ spam }) => !spam) && (
            <Button isDisabled={isBusy} onPress={() => mark(true)}>
              {c.markSpam}
            </Button>
          )}
          {update && chosen.some(({ spam }) => spam) && (
            <Button isDisabled={isBusy} onPress={() => mark(false)}>
              {c.notSpam}
            </Button>
          )}
          {remove && (
            <Button kind="danger" isDisabled={isBusy} onPress={() => setDeleting(true)}>
              {t('delete')}
            </Button>
          )}
          <Button kind="quiet" onPress={() => setSelected(new Set())}>
            {t('clearSelection')}
          </Button>
        </div>
      )}
      <ListContent
        list={list}
        isEmpty={rows.length === 0}
        empty={
          <EmptyState
            icon={shown === 'true' ? 'shield' : 'inbox'}
            title={shown === 'true' ? c.noSpam : c.noSubmissions}
            text={shown === 'true' ? c.noSpamText : c.noSubmissionsText}
          />
        }
      >
        <Table
          label={c.submissions}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          rowLabel={({ createdAt }) => formatDate(createdAt)}
          selected={canSelect ? selected : undefined}
          onSelect={canSelect ? setSelected : undefined}
          {...moreOf(list)}
        />
        <p className="list-footer muted" role="status">
          {t(list.hasNextPage ? 'rowsLoaded' : 'allLoaded', { count: formatNumber(rows.length) })}
        </p>
      </ListContent>
      <ConfirmDialog
        title={fill(c.deleteMany, { count: formatNumber(chosen.length) })}
        text={c.deleteText}
        confirm={t('delete')}
        danger
        isOpen={isDeleting}
        isBusy={isBusy}
        onConfirm={() =>
          runForChosen(row => api.delete('/v1/forms/{id}/submissions/{sid}', { path: pathOf(row) }), c.deletedMany)
        }
        onClose={() => setDeleting(false)}
      />
    </>
  )
}

const columnsOf = (resource: Resource, form: Api.Form, c: FormTexts): Column<Api.Submission>[] => [
  {
    id: 'createdAt',
    title: c.received,
    cell: row => (
      <>
        <ScreenLink className="row-link" to={recordUrl(resource, row.id)} search={{ with: { id: row.formId } }}>
          <time dateTime={row.createdAt}>{formatDate(row.createdAt)}</time>
        </ScreenLink>
        {row.spam && <span className="badge danger">{c.spam}</span>}
      </>
    ),
  },
  ...answersOf(form).map(column => ({
    id: column.path.join('.'),
    title: column.title,
    cell: (row: Api.Submission) => shorten(answerIn(row.data, column, c)) || <span className="muted">–</span>,
  })),
  ...resource.columns
    .filter(name => !ELSEWHERE.includes(name))
    .map(name => ({
      id: name,
      title: labelIn(resource, name),
      cell: (row: Api.Submission) => (
        <Cell name={name} value={row[name as keyof Api.Submission]} states={resource.states[name]} />
      ),
    })),
]

const shorten = (text: string): string => (text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text)
