/** A value in a list that is changed in place. Saved when the person leaves it or presses Enter; Escape discards it. */
import { type KeyboardEvent, useId, useState } from 'react'
import { PlainInput } from '../components/FormField.tsx'
import { useNavigate } from '../components/navigation.ts'
import { reportFailure, useAction } from '../data/action.ts'
import { callApi } from '../data/api.ts'
import type { ResourceOperation } from '../data/api-types.ts'
import { type Conflict, conflictOf } from '../data/conflict.ts'
import { useDocument } from '../data/document.ts'
import { type Field, type FieldKind, type FormValue, formBody, formValues, isSame } from '../data/form-model.ts'
import { fieldErrors, isStatus } from '../data/problem.ts'
import { keyOf, labelOf, type Resource, type Row, recordPath, type Scope } from '../data/resources.ts'
import type { ToastAction } from '../data/toasts.ts'
import { useTexts } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import { invalidTexts, labelIn, recordUrl, resourcePath, useReplaceRow } from './generic.ts'
import styles from './InlineCell.module.css'
import { loadName, referenceTo, useSources } from './sources.ts'

/** Kinds whose values are chosen, not typed. */
const CHOSEN: readonly FieldKind[] = ['boolean', 'enum', 'reference', 'member']

interface Props {
  readonly resource: Resource
  readonly update: ResourceOperation
  readonly scope: Scope
  readonly field: Field
  readonly row: Row
}

/** A value as a form has it. */
const formValueOf = (field: Field, row: Row): FormValue => formValues([field], row)[field.name] ?? ''

export default function InlineCell({ resource, update, scope, field, row }: Props) {
  const t = useTexts()
  const c = useCollectionTexts()
  const id = useId()
  const replace = useReplaceRow(resource)
  const navigate = useNavigate()
  const sourceOf = useSources()
  const { data: document } = useDocument()
  const { name } = field
  const pointer = `/${name}`
  const stored = formValueOf(field, row)
  const [typed, setTyped] = useState<FormValue>()
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  const fail = async (failure: unknown, body: Row) => {
    const found = fieldErrors(failure)
    const message = found.get(pointer)
    setErrors(found)
    reportFailure(
      message === undefined ? failure : new Error(`${labelIn(resource, name)} ${message}.`),
      await wayOut(conflictOf(failure, document?.collection(resource.operations.list.id), { ...row, ...body })),
    )
  }
  /** Leads to the row that the change conflicts with. */
  async function wayOut({ rows, taken }: Conflict): Promise<ToastAction | undefined> {
    if (taken)
      return {
        title: c.findTaken,
        onPress: () => void navigate({ to: resourcePath(resource), search: { filters: taken } }),
      }
    const [id] = rows?.ids ?? []
    const source = rows && sourceOf(referenceTo(rows.collection))
    const other = source?.resource
    if (id === undefined || !other?.operations.get) return undefined
    return { title: await loadName(source, id), onPress: () => void navigate({ to: recordUrl(other, id) }) }
  }
  /** Another field of the row may have changed since the list was loaded. */
  const send = async (body: unknown): Promise<Row> => {
    const key = keyOf(resource, row)
    const call = { method: update.method, path: recordPath(update, scope, key), body }
    try {
      return (await callApi<Row>({ ...call, etag: `"${row.revision}"` })).body
    } catch (failure) {
      const { get } = resource.operations
      if (!get || !isStatus(failure, 412)) throw failure
      const current = await callApi<Row>({ path: recordPath(get, scope, key) })
      if (isSame(formValueOf(field, current.body), stored))
        return (await callApi<Row>({ ...call, etag: current.etag })).body
      reportFailure(new Error(c.changedMeanwhile))
      return current.body
    }
  }
  const { isBusy, run } = useAction()
  const save = (value: FormValue) => {
    if (isBusy || isSame(value, stored)) return setTyped(isBusy ? typed : undefined)
    const { body, invalid } = formBody([field], { [name]: value }, { [name]: stored })
    const texts = invalidTexts(invalid, t)
    setErrors(texts)
    const [wrong] = texts.values()
    if (wrong !== undefined) return reportFailure(new Error(wrong))
    return void run(async () => {
      const saved = await send(body).catch(failure => fail(failure, body))
      if (!saved) return
      await replace(saved)
      setTyped(now => (isSame(now, value) ? undefined : now))
    })
  }
  const change = (value: FormValue) => {
    setTyped(value)
    if (CHOSEN.includes(field.kind)) save(value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !CHOSEN.includes(field.kind)) {
      event.preventDefault()
      if (typed !== undefined) save(typed)
    }
    if (event.key === 'Escape') {
      setTyped(undefined)
      setErrors(new Map())
    }
  }
  const label = `${labelIn(resource, name)}: ${labelOf(resource, row)}`
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the input inside
    <span
      className={styles.cell}
      data-kind={field.kind}
      aria-busy={isBusy || undefined}
      onKeyDown={onKeyDown}
      onBlur={() => typed !== undefined && !CHOSEN.includes(field.kind) && save(typed)}
    >
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <PlainInput
        id={id}
        field={field}
        pointer={pointer}
        errors={errors}
        label={label}
        value={typed ?? stored}
        isSet={!field.nullable}
        describedBy={undefined}
        onChange={change}
      />
    </span>
  )
}
