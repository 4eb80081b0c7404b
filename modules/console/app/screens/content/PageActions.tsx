/** Save, publish, schedule, and what else can be done with a page. */

import { useEffect, useState } from 'react'
import {
  type Api,
  Button,
  CommandRunner,
  FormDialog,
  fill,
  formatDate,
  Menu,
  type RecordCommand,
  type Resource,
  TextField,
  useKeys,
  useRecordCommands,
  useTexts,
} from '../../public.ts'
import { useContentTexts } from './texts.ts'

interface Props {
  readonly resource: Resource
  /** Undefined for a new page. */
  readonly page: Api.PageSummary | undefined
  /** Only the recipe may change the page. */
  readonly isReadOnly: boolean
  readonly isDirty: boolean
  readonly isBusy: boolean
  readonly onSave: () => void
  readonly onPublish: (at?: string) => void
  readonly onDeleted: () => void
}

export function PageActions({ resource, page, isReadOnly, isDirty, isBusy, onSave, onPublish, onDeleted }: Props) {
  const t = useTexts()
  const c = useContentTexts()
  const keys = useKeys()
  const all = useRecordCommands(resource)
  const commands = isReadOnly ? [] : all
  const [command, setCommand] = useState<RecordCommand>()
  const [isScheduling, setScheduling] = useState(false)
  const [isSaveWanted, setSaveWanted] = useState(false)
  const mayPublish = commands.some(({ operation }) => operation.id === 'publishPage')
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setSaveWanted(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  // While the page is being saved or published, the key saves it afterwards.
  useEffect(() => {
    if (!isSaveWanted || isBusy) return
    setSaveWanted(false)
    if (isDirty) onSave()
  }, [isSaveWanted, isBusy, isDirty, onSave])
  const others = commands
    .filter(({ operation: { id }, appliesTo }) => id !== 'publishPage' && page && appliesTo({ ...page }))
    .map(each => ({
      id: each.operation.id,
      text: each.title,
      danger: each.danger,
      icon: iconOf(each),
      onAction: () => setCommand(each),
    }))
  const items = [
    ...(mayPublish ? [{ id: 'schedule', text: c.schedule, icon: 'clock', onAction: () => setScheduling(true) }] : []),
    ...(page?.status === 'published' && !page.path.includes(':')
      ? [
          {
            id: 'view',
            text: c.viewPage,
            icon: 'external-link',
            onAction: () => void window.open(page.path, '_blank', 'noopener'),
          },
        ]
      : []),
    ...others,
  ]
  return (
    <>
      {isDirty && <span className="muted">{c.unsavedChanges}</span>}
      {page?.publishAt && !isDirty && (
        <span className="muted">{fill(c.scheduledFor, { time: formatDate(page.publishAt) })}</span>
      )}
      {page && items.length > 0 && (
        <Menu
          label={t('actions')}
          trigger={<Button kind="quiet" icon="ellipsis" label={t('moreActions')} />}
          items={items}
        />
      )}
      {!isReadOnly && (
        <Button
          kind={mayPublish && page ? 'secondary' : 'primary'}
          shortcut={keys('S')}
          isDisabled={isBusy || !isDirty}
          onPress={onSave}
        >
          {c.saveDraft}
        </Button>
      )}
      {page && mayPublish && (
        <Button kind="primary" isDisabled={isBusy} onPress={() => onPublish()}>
          {c.publish}
        </Button>
      )}
      {isScheduling && (
        <ScheduleDialog
          onClose={() => setScheduling(false)}
          onSchedule={at => {
            setScheduling(false)
            onPublish(at)
          }}
        />
      )}
      <CommandRunner
        resource={resource}
        scope={{}}
        rows={page ? [page] : []}
        command={command}
        onClose={() => setCommand(undefined)}
        onDone={({ isDelete }) => isDelete && onDeleted()}
      />
    </>
  )
}

const iconOf = ({ isDelete, operation: { id } }: RecordCommand): string =>
  isDelete ? 'trash-2' : id === 'resetPage' ? 'history' : 'eye-off'

interface ScheduleProps {
  readonly onClose: () => void
  readonly onSchedule: (at: string) => void
}

function ScheduleDialog({ onClose, onSchedule }: ScheduleProps) {
  const c = useContentTexts()
  const [at, setAt] = useState('')
  return (
    <FormDialog
      title={c.scheduleTitle}
      submit={c.scheduleTitle}
      isOpen
      onSubmit={() => onSchedule(new Date(at).toISOString())}
      onClose={onClose}
    >
      <TextField
        label={c.scheduleAt}
        hint={c.scheduleText}
        type="datetime-local"
        required
        value={at}
        onChange={setAt}
      />
    </FormDialog>
  )
}
