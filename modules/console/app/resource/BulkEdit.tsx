/** Sets one field of several rows. Up to 100 rows are changed in one transaction. */
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { FieldInput } from '../components/FormField.tsx'
import { SelectField } from '../components/LabeledField.tsx'
import { reportFailure, useAction } from '../data/action.ts'
import { callApi } from '../data/api.ts'
import { emptyValue, type Field, type FormValue, formBody } from '../data/form-model.ts'
import { ApiError, messageOf } from '../data/problem.ts'
import { keyOf, labelOf, listPathOf, type Resource, type Row } from '../data/resources.ts'
import { toast } from '../data/toasts.ts'
import { fill, useTexts } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import { invalidTexts, labelIn, useRefresh } from './generic.ts'

/** The limit of the API. */
const MAX_OPERATIONS = 100

interface Change {
  readonly id: string
  readonly data: Row
}
interface Props {
  readonly resource: Resource
  readonly fields: readonly Field[]
  readonly rows: readonly Row[]
  readonly onClose: () => void
}

export default function BulkEdit({ resource, fields, rows, onClose }: Props) {
  const t = useTexts()
  const c = useCollectionTexts()
  const refresh = useRefresh(resource)
  const [name, setName] = useState(fields[0]?.name ?? '')
  const [typed, setTyped] = useState<FormValue>()
  const [failure, setFailure] = useState<unknown>()
  const [invalid, setInvalid] = useState<ReadonlyMap<string, string>>(new Map())
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const field = fields.find(each => each.name === name)
  if (!field) return null
  const value = typed ?? emptyValue(field)

  const undo = async (changes: readonly Change[]) => {
    try {
      await send(resource, changes)
      toast(t(changes.length === 1 ? 'restored' : 'restoredMany', { count: changes.length }))
    } catch (error) {
      reportFailure(error)
    }
    await refresh()
  }
  const apply = () => {
    const { body, invalid: wrong } = formBody([field], { [name]: value }, { [name]: DIFFERENT })
    setInvalid(invalidTexts(wrong, t))
    if (wrong.length > 0) return
    const before = rows.map(row => ({ id: keyOf(resource, row), data: { [name]: row[name] } }))
    run(async () => {
      try {
        await send(
          resource,
          before.map(({ id }) => ({ id, data: body })),
        )
      } finally {
        await refresh()
      }
      // The former state may not follow.
      const action = field.source?.states ? undefined : { title: t('undo'), onPress: () => void undo(before) }
      toast(fill(c.rowsChanged, { count: rows.length }), 'success', action)
      onClose()
    })
  }
  return (
    <Dialog
      title={fill(c.bulkTitle, { count: rows.length })}
      isOpen
      onClose={onClose}
      size="large"
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind="primary" isDisabled={isBusy} onPress={apply}>
            {fill(c.bulkApply, { count: rows.length })}
          </Button>
        </>
      }
    >
      <div className="form">
        {failure !== undefined && (
          <div className="notice danger" role="alert">
            {failureText(resource, rows, failure)}
          </div>
        )}
        <SelectField
          label={c.field}
          value={name}
          options={fields.map(each => [each.name, labelIn(resource, each.name)])}
          onChange={next => {
            setName(next)
            setTyped(undefined)
            setFailure(undefined)
            setInvalid(new Map())
          }}
        />
        <FieldInput
          id="bulk-value"
          key={name}
          field={field}
          label={c.newValue}
          value={value}
          pointer={`/${name}`}
          errors={invalid}
          isChange
          onChange={setTyped}
        />
      </div>
    </Dialog>
  )
}

/** So that every value counts as changed, also an empty one. */
const DIFFERENT: FormValue = {}

async function send(resource: Resource, changes: readonly Change[]): Promise<void> {
  for (let start = 0; start < changes.length; start += MAX_OPERATIONS) {
    const operations = changes
      .slice(start, start + MAX_OPERATIONS)
      .map(({ id, data }) => ({ action: 'update', id, data }))
    try {
      await callApi({ method: 'POST', path: `${listPathOf(resource)}/batch`, body: { operations } })
    } catch (error) {
      throw new BatchFailure(error, start)
    }
  }
}

/** The failure of a batch, with the number of rows before it. */
class BatchFailure extends Error {
  readonly start: number
  readonly problem: unknown

  constructor(problem: unknown, start: number) {
    super(messageOf(problem))
    this.start = start
    this.problem = problem
  }
}

/** Names the row that was refused. */
function failureText(resource: Resource, rows: readonly Row[], failure: unknown): string {
  if (!(failure instanceof BatchFailure) || !(failure.problem instanceof ApiError)) return messageOf(failure)
  const [first] = failure.problem.problem.errors ?? []
  const [, index, name] = /^\/operations\/(\d+)(?:\/data\/(\w+))?/.exec(first?.pointer ?? '') ?? []
  const row = index === undefined ? undefined : rows[failure.start + Number(index)]
  if (!row || !first) return messageOf(failure)
  return `${labelOf(resource, row)}: ${name === undefined ? '' : `${labelIn(resource, name)} `}${first.detail}`
}
