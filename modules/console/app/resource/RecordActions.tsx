/** The operations on records: delete and actions, with confirmation, for one record or for several. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog, Dialog } from '../components/Dialog.tsx'
import { Loading } from '../components/EmptyState.tsx'
import { Form } from '../components/Form.tsx'
import { RowMenu } from '../components/RowMenu.tsx'
import { reportFailure } from '../data/action.ts'
import { callApi } from '../data/api.ts'
import type { ResourceAction, ResourceOperation } from '../data/api-types.ts'
import { withCollection } from '../data/collection-form.ts'
import { type ApiDocument, useDocument } from '../data/document.ts'
import type { FieldMessages } from '../data/field-messages.ts'
import { type Field, type FormValues, formBody, formValues, type InvalidValue } from '../data/form-model.ts'
import { keys } from '../data/keys.ts'
import { fieldErrors, ServerUnavailable } from '../data/problem.ts'
import {
  findTrash,
  isReadOnly,
  isWhen,
  keyOf,
  labelOf,
  type Resource,
  type Row,
  recordPath,
  type Scope,
  useResources,
  valueAt,
} from '../data/resources.ts'
import { toast } from '../data/toasts.ts'
import { useTexts } from '../locales/index.ts'
import { fieldsOf, invalidTexts, useRefresh } from './generic.ts'

export interface RecordCommand {
  readonly operation: ResourceOperation
  readonly title: string
  readonly danger: boolean
  /** Question of the dialog; null for none. */
  readonly confirm: string | null
  readonly isDelete: boolean
  /** Whether the page of a record shows it as a button. */
  readonly isButton: boolean
  /** Property of the body → property of the record. */
  readonly body: Readonly<Record<string, string>>
  /** Shown when it has succeeded. */
  readonly done: string | null
  /** Texts of its form. */
  readonly texts: Pick<Resource, 'labels' | 'hints' | 'states'>
  /** Whether a record has it. */
  readonly appliesTo: (row: Row) => boolean
}

export function useRecordCommands(resource: Resource): readonly RecordCommand[] {
  const t = useTexts()
  const { data: resources = [] } = useResources()
  const { actions, operations } = resource
  const own = actions.filter(({ on }) => on !== 'list').map(action => commandOf(resource, action))
  if (!operations.delete) return own
  const confirm = t(findTrash(resource, resources) ? 'deleteToTrash' : 'deleteText')
  const appliesTo = (row: Row) => !isReadOnly(resource, row)
  const remove = { operation: operations.delete, title: t('delete'), danger: true, confirm, isDelete: true, appliesTo }
  return [...own, { ...remove, isButton: false, body: {}, done: null, texts: resource }]
}

export function commandOf(
  resource: Resource,
  { id, method, path, title, danger, confirm, when, isButton, body, done, ...texts }: ResourceAction,
): RecordCommand {
  return {
    operation: { id, method, path },
    title,
    danger,
    confirm,
    isDelete: false,
    isButton,
    body,
    done,
    texts: mergedTexts(resource, texts),
    appliesTo: row => isWhen(when, row),
  }
}

type Texts = RecordCommand['texts']
const mergedTexts = (resource: Texts, own: Texts): Texts => ({
  labels: { ...resource.labels, ...own.labels },
  hints: { ...resource.hints, ...own.hints },
  states: { ...resource.states, ...own.states },
})

interface RunnerProps {
  readonly resource: Resource
  readonly scope: Scope
  readonly rows: readonly Row[]
  readonly command: RecordCommand | undefined
  readonly onClose: () => void
  readonly onDone?: (command: RecordCommand) => void
}

/** Asks for what the command needs, runs it for each record, and reports the result. */
export function CommandRunner({ resource, scope, rows, command, onClose, onDone }: RunnerProps) {
  const t = useTexts()
  const refresh = useRefresh(resource)
  const restore = useRestore(resource)
  const { data: document } = useDocument()
  const [isBusy, setBusy] = useState(false)
  const [values, setValues] = useState<FormValues>()
  const [failure, setFailure] = useState<unknown>()
  const [invalid, setInvalid] = useState<readonly InvalidValue[]>([])
  // Kept until an answer comes, so that a request whose answer was lost is carried out once.
  const [attempt, setAttempt] = useState(newAttempt)
  if (!command) return null
  const schema = document?.body(command.operation.id)
  const { fields, within } = document ? formOf(resource, command, document) : NO_FORM
  const isForm = fields.length > 0
  const shown = values ?? formValues(fields)
  const close = () => {
    setValues(undefined)
    setFailure(undefined)
    setInvalid([])
    onClose()
  }

  async function run(chosen: RecordCommand) {
    const { body: asked, invalid: wrong } = formBody(fields, shown)
    setInvalid(wrong)
    if (wrong.length > 0) return
    setBusy(true)
    const done: string[] = []
    let last: unknown
    for (const row of rows) {
      const key = keyOf(resource, row)
      try {
        await callApi({
          method: chosen.operation.method,
          path: recordPath(chosen.operation, scope, key),
          body: schema && bodyOf(chosen, row, within === undefined ? asked : { [within]: asked }),
          ...(chosen.isButton && { idempotencyKey: `${attempt} ${key}` }),
        })
        done.push(key)
      } catch (error) {
        last = error
        if (rows.length === 1) break
      }
    }
    if (!(last instanceof ServerUnavailable)) setAttempt(newAttempt())
    await refresh(chosen.isDelete ? done : [])
    setBusy(false)
    // Nothing was done, so what the person entered stays.
    if (last !== undefined && isForm && done.length === 0) return setFailure(last)
    reportFailure(last)
    const [only] = rows
    const undo =
      chosen.isDelete && restore && done.length > 0
        ? { title: t('undo'), onPress: () => void restore(done) }
        : undefined
    if (rows.length > 1 && done.length > 0)
      toast(t('doneMany', { done: done.length, count: rows.length }), 'success', undo)
    else if (done.length === 1 && only) {
      const text = chosen.isDelete
        ? t('deleted', { name: labelOf(resource, only) })
        : (chosen.done ?? t('done', { title: chosen.title }))
      toast(text, 'success', undo)
    }
    close()
    if (done.length > 0) onDone?.(chosen)
  }

  // The document says whether the command has a form.
  if (!document && !command.isDelete)
    return (
      <Dialog title={command.title} isOpen onClose={close}>
        <Loading />
      </Dialog>
    )
  const many = rows.length > 1
  const titleOfMany = () => t('confirmMany', { title: command.title, count: rows.length })
  if (isForm)
    return (
      <Dialog title={many ? titleOfMany() : command.title} isOpen onClose={close} size="large">
        {command.confirm !== null && <p>{command.confirm}</p>}
        <Form
          fields={fields}
          values={shown}
          errors={invalid.length > 0 ? invalidTexts(invalid, t) : below(fieldErrors(failure), within)}
          failure={failure}
          onChange={setValues}
          onSubmit={() => run(command)}
        >
          <Button onPress={close}>{t('cancel')}</Button>
          <Button kind={command.danger ? 'danger' : 'primary'} type="submit" isDisabled={isBusy}>
            {command.title}
          </Button>
        </Form>
      </Dialog>
    )
  const name = rows[0] ? labelOf(resource, rows[0]) : ''
  const title = command.isDelete
    ? many
      ? t('deleteMany', { count: rows.length })
      : t('deleteTitle', { name })
    : many
      ? titleOfMany()
      : t('confirmAction', { title: command.title })
  return (
    <ConfirmDialog
      title={title}
      text={command.confirm ?? name}
      confirm={command.title}
      danger={command.danger}
      isOpen
      isBusy={isBusy}
      onConfirm={() => run(command)}
      onClose={close}
    />
  )
}

const newAttempt = (): string => crypto.randomUUID()
const NO_FORM = { fields: [], within: undefined }

/**
 * What a command asks for, without what comes from the record. An object that is all of it is asked for by its fields.
 */
function formOf(
  resource: Resource,
  { operation, body, texts }: RecordCommand,
  document: ApiDocument,
): { readonly fields: readonly Field[]; readonly within: string | undefined } {
  const own = document.fields(operation.id)
  const asked = fieldsOf({ ...resource, ...texts }, operation.id, document).filter(
    ({ name }) => !Object.hasOwn(body, name),
  )
  const [only] = asked
  if (asked.length !== 1 || only?.kind !== 'object') return { fields: asked, within: undefined }
  const inner = withCollection(only.fields, own && { fields: own })
  return { fields: inner.map(withoutMinorUnit), within: only.name }
}

/** An amount is entered in its currency, so what the API says about its unit explains nothing. */
const withoutMinorUnit = (field: Field): Field =>
  field.kind === 'money' && field.description?.startsWith('In the minor unit')
    ? { ...field, description: undefined }
    : field

/** The record's part of the body, and what the form asked for. */
const bodyOf = ({ body }: RecordCommand, row: Row, asked: object): object => ({
  ...Object.fromEntries(Object.entries(body).map(([name, property]) => [name, valueAt(row, property)])),
  ...asked,
})

/** Messages of the fields of an object, by their pointers in it. */
const below = (messages: FieldMessages, within: string | undefined): FieldMessages =>
  within === undefined
    ? messages
    : new Map([...messages].map(([pointer, text]) => [pointer.replace(`/${within}/`, '/'), text]))

/** Takes deleted records out of the trash; undefined for resources without one. */
function useRestore(resource: Resource) {
  const t = useTexts()
  const { data: resources = [] } = useResources()
  const trash = findTrash(resource, resources)
  const refresh = useRefresh(resource)
  const client = useQueryClient()
  if (!trash) return undefined
  return async (ids: readonly string[]) => {
    let failure: unknown
    for (const key of ids)
      try {
        await callApi({ method: trash.restore.method, path: recordPath(trash.restore, {}, key) })
      } catch (error) {
        failure = error
      }
    await Promise.all([refresh(), client.invalidateQueries({ queryKey: keys.list(trash.resource) })])
    if (failure !== undefined) return reportFailure(failure)
    toast(t(ids.length === 1 ? 'restored' : 'restoredMany', { count: ids.length }))
  }
}

/** The commands of one record. */
export function RecordMenu({
  label,
  commands,
  isNamed,
  onRun,
}: {
  readonly label: string
  readonly commands: readonly RecordCommand[]
  readonly isNamed?: boolean
  readonly onRun: (command: RecordCommand) => void
}) {
  return (
    <RowMenu
      label={label}
      isNamed={isNamed ?? false}
      items={commands.map(command => ({
        id: command.operation.id,
        text: command.title,
        danger: command.danger,
        icon: command.isDelete ? 'trash-2' : command.danger ? 'circle-alert' : 'play',
        onAction: () => onRun(command),
      }))}
    />
  )
}

interface RecordProps {
  readonly resource: Resource
  readonly scope?: Scope
  readonly record: Row
  readonly label: string
  /** By default, those of the resource. */
  readonly commands?: readonly RecordCommand[]
  readonly onDeleted?: () => void
  /** After any other command. */
  readonly onChanged?: () => void
}

/** The menu has the others. */
const MAX_BUTTONS = 3

/** The commands of one record that apply to it, and the dialogs that they need. */
export function RecordCommands({ resource, scope = {}, record, label, commands, onDeleted, onChanged }: RecordProps) {
  const own = useRecordCommands(resource)
  const [command, setCommand] = useState<RecordCommand>()
  const all = (commands ?? own).filter(({ appliesTo }) => appliesTo(record))
  const buttons = all.filter(({ isButton }) => isButton).slice(0, MAX_BUTTONS)
  return (
    <>
      <RecordMenu label={label} commands={all.filter(each => !buttons.includes(each))} isNamed onRun={setCommand} />
      {buttons.map(each => (
        <Button key={each.operation.id} kind={each.danger ? 'danger' : 'secondary'} onPress={() => setCommand(each)}>
          {each.title}
        </Button>
      ))}
      <CommandRunner
        resource={resource}
        scope={scope}
        rows={[record]}
        command={command}
        onClose={() => setCommand(undefined)}
        onDone={({ isDelete }) => (isDelete ? onDeleted?.() : onChanged?.())}
      />
    </>
  )
}
