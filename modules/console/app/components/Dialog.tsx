import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'
import styles from './Dialog.module.css'

interface Props {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose?: () => void
  readonly size?: 'small' | 'large'
  /** `alertdialog` for dialogs that interrupt. */
  readonly role?: 'dialog' | 'alertdialog'
  readonly children: ReactNode
  readonly footer?: ReactNode
}

/** A modal dialog. Without `onClose` it can't be dismissed. */
export function Dialog({ title, isOpen, onClose, size = 'small', role = 'dialog', children, footer }: Props) {
  const t = useTexts()
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen={isOpen}
      onOpenChange={open => !open && onClose?.()}
      isDismissable={onClose !== undefined && role === 'dialog'}
      isKeyboardDismissDisabled={onClose === undefined}
    >
      <Modal className={`${styles.modal} ${size === 'large' ? styles.large : ''}`}>
        <AriaDialog className={styles.dialog} role={role}>
          <header>
            <Heading slot="title">{title}</Heading>
            {onClose && <Button kind="quiet" icon="x" label={t('close')} onPress={onClose} />}
          </header>
          <div className={styles.body}>{children}</div>
          {footer && <footer>{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface ConfirmProps {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly danger?: boolean
  readonly isOpen: boolean
  readonly isBusy?: boolean
  /** The dialog closes when it resolves. */
  readonly onConfirm: () => unknown
  readonly onClose: () => void
}

export function ConfirmDialog({ title, text, confirm, danger, isOpen, isBusy, onConfirm, onClose }: ConfirmProps) {
  const t = useTexts()
  const confirmed = async () => {
    await onConfirm()
    onClose()
  }
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      role="alertdialog"
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} onPress={confirmed} isDisabled={isBusy ?? false}>
            {confirm}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}

type ConfirmButtonProps = Omit<ConfirmProps, 'isOpen' | 'onClose'> &
  Pick<ComponentProps<typeof Button>, 'kind' | 'icon' | 'label'>

/** A button that asks for a confirmation. The button of the dialog has the same text, also if this one is an icon. */
export function ConfirmButton({ kind = 'secondary', icon, label, ...dialog }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        kind={kind}
        icon={icon}
        {...(label !== undefined && { label })}
        isDisabled={dialog.isBusy ?? false}
        onPress={() => setAsking(true)}
      >
        {label === undefined && dialog.confirm}
      </Button>
      <ConfirmDialog {...dialog} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

interface FormDialogProps extends Pick<Props, 'title' | 'isOpen' | 'children'> {
  /** Text of the button. */
  readonly submit: string
  readonly danger?: boolean
  /** The form can't be sent. */
  readonly isDisabled?: boolean
  readonly onSubmit: () => unknown
  readonly onClose: () => void
}

export function FormDialog({
  title,
  isOpen,
  submit,
  danger,
  isDisabled,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const t = useTexts()
  const send = (event: FormEvent) => {
    event.preventDefault()
    // The form from which the dialog was opened would be submitted, too.
    event.stopPropagation()
    if (!isDisabled) onSubmit()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <form className="form" onSubmit={send}>
        {children}
        <div className="form-actions">
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" isDisabled={isDisabled ?? false}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
