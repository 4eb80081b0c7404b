/** Imports a CSV file: a look at its first rows, a check of all rows on the server, then the import. */
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { Loading } from '../components/EmptyState.tsx'
import { Failure } from '../components/Failure.tsx'
import { SelectField } from '../components/LabeledField.tsx'
import { useAction } from '../data/action.ts'
import { callApi } from '../data/api.ts'
import type { Collection } from '../data/collection.ts'
import { type CsvPreview, previewCsv } from '../data/csv.ts'
import { MAX_PAGE, useGetAt } from '../data/get.ts'
import type { ListOf } from '../data/loaded-rows.ts'
import { listPathOf, type Resource } from '../data/resources.ts'
import { fill, formatNumber, useTexts } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import { labelIn, useRefresh } from './generic.ts'
import styles from './ImportDialog.module.css'
import { ImportedCell } from './ImportedCell.tsx'
import { ambiguousAmount, currencyOfColumn, isColumn } from './imported-amounts.ts'

interface Import {
  readonly id: string
  readonly state: 'queued' | 'checking' | 'writing' | 'succeeded' | 'failed' | 'canceled'
  readonly dryRun: boolean
  readonly rows: {
    readonly total: number
    readonly checked: number
    readonly processed: number
    readonly created: number
    readonly updated: number
    readonly failed: number
    readonly runs: number
  }
  readonly failure: { readonly detail: string } | null
}
interface RowError {
  readonly row: number
  readonly line: number
  readonly column: string | null
  readonly detail: string
}
interface Props {
  readonly resource: Resource
  readonly collection: Collection | undefined
  /** Unique fields by which existing rows can be found. */
  readonly keys: readonly string[]
  readonly onClose: () => void
}

/** The server needs about a second for so many rows. */
const FEW_ROWS = 2000
const REFRESH_MS = { few: 150, many: 700 }
const isFinished = ({ state }: Import): boolean => ['succeeded', 'failed', 'canceled'].includes(state)

export default function ImportDialog({ resource, collection, keys, onClose }: Props) {
  const t = useTexts()
  const c = useCollectionTexts()
  const fileId = useId()
  const refresh = useRefresh(resource)
  const [file, setFile] = useState<File>()
  const [preview, setPreview] = useState<CsvPreview>()
  const [by, setBy] = useState('')
  const [amounts, setAmounts] = useState('')
  const [started, setStarted] = useState<Import>()
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const path = `${listPathOf(resource)}/imports`
  const current = useImport(path, started)

  const choose = (chosen: File | undefined) =>
    run(async () => {
      setFile(chosen)
      setStarted(undefined)
      setAmounts('')
      setPreview(chosen && (await previewCsv(chosen, cells => cells.some(cell => isColumn(cell, collection)))))
    })
  const send = (query: Readonly<Record<string, string>>) =>
    run(async () => {
      if (!file) return
      const sent = new Blob([file], { type: 'text/csv' })
      const { body } = await callApi<Import>({
        method: 'POST',
        path,
        query: { ...query, ...(by !== '' && { by }), ...(amounts !== '' && { amounts }) },
        file: sent,
      })
      setStarted(body)
    })
  const close = async () => {
    if (started && !started.dryRun) await refresh()
    onClose()
  }
  const unclear = preview && ambiguousAmount(failure, preview, collection)
  const isDone = current !== undefined && isFinished(current)
  const valid = current ? current.rows.total - current.rows.failed : 0
  const canWrite = isDone && current.dryRun && current.state === 'succeeded' && valid > 0
  return (
    <Dialog
      title={fill(c.importTitle, { title: resource.title })}
      isOpen
      onClose={close}
      size="large"
      footer={
        <>
          {current && !isDone && (
            <Button onPress={() => run(() => callApi({ method: 'POST', path: `${path}/${current.id}/cancel` }))}>
              {c.cancelImport}
            </Button>
          )}
          {isDone && <Button onPress={() => choose(undefined)}>{c.otherFile}</Button>}
          {!current && (
            <Button
              kind="primary"
              isDisabled={!file || isBusy || (unclear !== undefined && amounts === '')}
              onPress={() => send({ dryRun: 'true' })}
            >
              {c.checkFile}
            </Button>
          )}
          {canWrite && (
            <Button
              kind="primary"
              isDisabled={isBusy}
              onPress={() => send({ onError: current.rows.failed > 0 ? 'skip' : 'stop' })}
            >
              {fill(current.rows.failed > 0 ? c.importValid : c.importRows, { count: formatNumber(valid) })}
            </Button>
          )}
          {isDone && !current.dryRun && (
            <Button kind="primary" onPress={close}>
              {t('close')}
            </Button>
          )}
        </>
      }
    >
      <div className="form">
        {unclear === undefined && <Failure error={failure} />}
        {!current && (
          <>
            <div className="field">
              <label htmlFor={fileId}>{c.importFile}</label>
              <input
                id={fileId}
                type="file"
                accept=".csv,text/csv"
                aria-describedby={`${fileId}-hint`}
                onChange={({ target }) => choose(target.files?.[0])}
              />
              <p className="hint" id={`${fileId}-hint`}>
                {c.importHint}
              </p>
            </div>
            {keys.length > 0 && (
              <SelectField
                label={c.importBy}
                value={by}
                options={[
                  ['', c.importCreate],
                  ...keys.map(key => [key, fill(c.importUpdate, { name: labelIn(resource, key) })] as const),
                ]}
                onChange={setBy}
              />
            )}
            {unclear && (
              <SelectField
                label={fill(c.unitOfAmounts, { name: labelIn(resource, unclear.name) })}
                hint={c.unitHint}
                required
                value={amounts}
                options={[
                  ['', c.chooseUnit],
                  ['decimal', `${unclear.text}: ${unclear.decimal}`],
                  ['smallest_unit', `${unclear.text}: ${unclear.smallest}`],
                ]}
                onChange={setAmounts}
              />
            )}
            {preview && <Preview preview={preview} resource={resource} collection={collection} amounts={amounts} />}
          </>
        )}
        {isBusy && file && <p role="status">{c.uploading}</p>}
        {current && <Progress current={current} />}
        {isDone && current.rows.failed > 0 && <RowErrors path={`${path}/${current.id}/errors`} resource={resource} />}
      </div>
    </Dialog>
  )
}

/** The import as it is now. */
function useImport(path: string, started: Import | undefined): Import | undefined {
  const { data } = useGetAt<Import>(
    `${path}/${started?.id}`,
    {},
    {
      isEnabled: started !== undefined,
      refreshMs: last => {
        if (last && isFinished(last)) return false
        return ((last ?? started)?.rows.total ?? 0) <= FEW_ROWS ? REFRESH_MS.few : REFRESH_MS.many
      },
    },
  )
  return data ?? started
}

interface PreviewProps {
  readonly preview: CsvPreview
  readonly resource: Resource
  readonly collection: Collection | undefined
  readonly amounts: string
}

function Preview({ preview: { header, rows, decimalComma }, resource, collection, amounts }: PreviewProps) {
  const c = useCollectionTexts()
  const currencies = header.map((name, at) =>
    currencyOfColumn(
      name,
      collection,
      amounts,
      rows.map(row => row[at] ?? ''),
    ),
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys
    <section className={styles.preview} aria-label={c.preview} tabIndex={0}>
      <h3>{c.preview}</h3>
      <table>
        <thead>
          <tr>
            {header.map((name, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a file can have a column twice
              <th key={index} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no keys
            <tr key={index}>
              {header.map((name, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a file can have a column twice
                <td key={column}>
                  <ImportedCell
                    header={name}
                    text={row[column] ?? ''}
                    currency={currencies[column]}
                    resource={resource}
                    collection={collection}
                    amounts={amounts}
                    decimalComma={decimalComma}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Progress({ current }: { readonly current: Import }) {
  const c = useCollectionTexts()
  const { state, dryRun, rows, failure } = current
  const total = formatNumber(rows.total)
  if (!isFinished(current)) {
    const count = state === 'writing' ? rows.processed : rows.checked
    const text = state === 'queued' ? c.queued : state === 'writing' ? c.writingRows : c.checkingRows
    const shown = fill(text, { count: formatNumber(count), total })
    return (
      <div role="status">
        <p>{shown}</p>
        <progress aria-label={shown} value={count} max={Math.max(1, rows.total)} />
      </div>
    )
  }
  return (
    <div role="status">
      {state === 'canceled' && <p>{c.importCanceled}</p>}
      {dryRun && state === 'succeeded' ? (
        <p>{fill(c.rowsValid, { count: formatNumber(rows.total - rows.failed), total })}</p>
      ) : (
        !dryRun && (
          <p>
            {fill(c.importDone, {
              created: formatNumber(rows.created),
              updated: formatNumber(rows.updated),
              failed: formatNumber(rows.failed),
            })}
          </p>
        )
      )}
      {dryRun && rows.runs > 0 && <p>{fill(c.runsStart, { count: formatNumber(rows.runs) })}</p>}
      {dryRun && rows.failed > 0 && <p>{fill(c.rowsWrong, { count: formatNumber(rows.failed) })}</p>}
      {failure && <p className="error">{failure.detail}</p>}
    </div>
  )
}

interface ErrorsProps {
  readonly path: string
  readonly resource: Resource
}

function RowErrors(props: ErrorsProps) {
  const c = useCollectionTexts()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus for the arrow keys
    <section className={`${styles.preview} ${styles.errors}`} aria-label={c.rowErrors} tabIndex={0}>
      <h3>{c.rowErrors}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{c.line}</th>
            <th scope="col">{c.field}</th>
            <th scope="col">{c.error}</th>
          </tr>
        </thead>
        <ErrorPage {...props} />
      </table>
    </section>
  )
}

/** A page of errors, and the next one when the person asks for it. */
function ErrorPage({ path, resource, cursor }: ErrorsProps & { readonly cursor?: string }) {
  const c = useCollectionTexts()
  const [isNextShown, setNextShown] = useState(false)
  const { data } = useGetAt<ListOf<RowError>>(path, { limit: MAX_PAGE, ...(cursor && { cursor }) })
  const lastRow = (content: ReactNode) => (
    <tbody>
      <tr>
        <td colSpan={3}>{content}</td>
      </tr>
    </tbody>
  )
  if (!data) return lastRow(<Loading />)
  return (
    <>
      <tbody>
        {data.data.map(({ row, line, column, detail }) => (
          <tr key={`${row} ${column} ${detail}`}>
            <td>{formatNumber(line)}</td>
            <td>{column === null ? '–' : labelIn(resource, column)}</td>
            <td>{detail}</td>
          </tr>
        ))}
      </tbody>
      {data.nextCursor &&
        (isNextShown ? (
          <ErrorPage path={path} resource={resource} cursor={data.nextCursor} />
        ) : (
          lastRow(
            <Button kind="quiet" onPress={() => setNextShown(true)}>
              {c.moreErrors}
            </Button>,
          )
        ))}
    </>
  )
}
