/** Asks for the reason of an action that the audit log records, and for what else the action needs. */
import { type ReactNode, useState } from 'react'
import { useAction } from '../data/action.ts'
import type { FieldMessages } from '../data/field-messages.ts'
import { fieldErrors } from '../data/problem.ts'
import { toast } from '../data/toasts.ts'
import { useTexts } from '../locales/index.ts'
import { FormDialog } from './Dialog.tsx'
import { Failure } from './Failure.tsx'
import { TextArea } from './LabeledField.tsx'

const MAX_LENGTH = 500

interface Props {
  readonly title: string
  readonly text?: string
  /** Who reads the reason. */
  readonly hint: string
  /** Label of the button. */
  readonly confirm: string
  readonly danger?: boolean
  readonly minLength?: number
  /** Whether the fields above the reason are filled. */
  readonly isReady?: boolean
  readonly isOpen: boolean
  /** The dialog closes when it resolves, except to false, and shows what it throws. */
  readonly onConfirm: (reason: string) => Promise<unknown>
  /** Shown after a success. */
  readonly message?: string
  readonly onClose: () => void
  /** Fields above the reason. @param errors messages by the pointer of the field. */
  readonly children?: (errors: FieldMessages) => ReactNode
  /** Pointers of the fields above the reason that show their messages. */
  readonly fields?: readonly string[]
}

export const ReasonDialog = (props: Props) => (props.isOpen ? <ReasonForm {...props} /> : null)

function ReasonForm({
  title,
  text,
  hint,
  confirm,
  danger = false,
  minLength = 1,
  isReady = true,
  onConfirm,
  message,
  onClose,
  children,
  fields = [],
}: Props) {
  const t = useTexts()
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const errors = fieldErrors(failure)
  const submit = async () => {
    const isDone = await run(async () => (await onConfirm(reason.trim())) !== false)
    if (!isDone) return
    if (message !== undefined) toast(message)
    onClose()
  }
  return (
    <FormDialog
      title={title}
      submit={confirm}
      danger={danger}
      isOpen
      isDisabled={isBusy || reason.trim().length < minLength || !isReady}
      onSubmit={submit}
      onClose={onClose}
    >
      {text && <p>{text}</p>}
      <Failure error={failure} fields={['/reason', ...fields]} />
      {children?.(errors)}
      <TextArea
        label={t('reason')}
        hint={hint}
        error={errors.get('/reason')}
        autoFocus={!children}
        rows={3}
        required
        minLength={minLength}
        maxLength={MAX_LENGTH}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  )
}
