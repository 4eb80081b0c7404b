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
import type { ResourceOperation } from '../data/api-types.ts'
import { useDocument } from '../data/document.ts'
import { type FormValues, formBody, formValues } from '../data/form-model.ts'
import { keys } from '../data/keys.ts'
import { fieldErrors } from '../data/problem.ts'
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
} from '../data/resources.ts'
import { toast } from '../data/toasts.ts'
import { useTexts } from '../locales/index.ts'
import { fieldsOf, useRefresh } from './generic.ts'

export interface RecordCommand {
  readonly operation: ResourceOperation
  readonly title: string
  readonly danger: boolean
  /** Question of the dialog; null for none. */
  readonly confirm: string | null
  readonly isDelete: boolean
  /** Whether a record has it. */
  readonly appliesTo: (row: Row) => boolean
}

export function useRecordCommands(resource: Resource): readonly RecordCommand[] {
  const t = useTexts()
  const { data: resources = [] } = useResources()
  const { actions, operations } = resource
  const own = actions
    .filter(({ on }) => on !== 'list')
    .map(({ title, danger = false, confirm, when, ...operation }) => ({
      operation,
      title,
      danger,
      confirm,
      isDelete: false,
      appliesTo: (row: Row) => isWhen(when ?? {}, row),
    }))
  if (!operations.delete) return own
  const confirm = t(findTrash(resource, resources) ? 'deleteToTrash' : 'deleteText')
  const appliesTo = (row: Row) => !isReadOnly(resource, row)
  return [
    ...own,
    { operation: operations.delete, title: t('delete'), danger: true, confirm, isDelete: true, appliesTo },
  ]
}

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
  if (!command) return null
  const schema = document?.body(command.operation.id)
  const fields = document ? fieldsOf(resource, command.operation.id, document) : []
  const isForm = fields.length > 0
  const shown = values ?? formValues(fields)
  const close = () => {
    setValues(undefined)
    setFailure(undefined)
    onClose()
  }

  async function run(chosen: RecordCommand) {
    setBusy(true)
    const { body } = formBody(fields, shown)
    const done: string[] = []
    let last: unknown
    for (const row of rows) {
      const key = keyOf(resource, row)
      try {
        await callApi({
          method: chosen.operation.method,
          path: recordPath(chosen.operation, scope, key),
          body: isForm ? body : schema ? {} : undefined,
        })
        done.push(key)
      } catch (error) {
        last = error
        if (rows.length === 1) break
      }
    }
    await refresh(chosen.isDelete ? done : [])
    setBusy(false)
    if (last !== undefined && isForm && rows.length === 1) return setFailure(last)
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
        : t('done', { title: chosen.title })
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
  if (isForm)
    return (
      <Dialog title={command.title} isOpen onClose={close} size="large">
        <Form
          fields={fields}
          values={shown}
          errors={fieldErrors(failure)}
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
  const many = rows.length > 1
  const title = command.isDelete
    ? many
      ? t('deleteMany', { count: rows.length })
      : t('deleteTitle', { name })
    : many
      ? t('confirmMany', { title: command.title, count: rows.length })
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
  onRun,
}: {
  readonly label: string
  readonly commands: readonly RecordCommand[]
  readonly onRun: (command: RecordCommand) => void
}) {
  return (
    <RowMenu
      label={label}
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

/** The commands of one record that apply to it, and the dialogs that they need. */
export function RecordCommands({ resource, scope = {}, record, label, commands, onDeleted, onChanged }: RecordProps) {
  const own = useRecordCommands(resource)
  const [command, setCommand] = useState<RecordCommand>()
  return (
    <>
      <RecordMenu
        label={label}
        commands={(commands ?? own).filter(({ appliesTo }) => appliesTo(record))}
        onRun={setCommand}
      />
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
