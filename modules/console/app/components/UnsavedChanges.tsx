/** Asks before a person leaves a page whose changes are not saved. `navigate` with `ignoreBlocker` leaves at once. */
import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../locales/index.ts'
import { ConfirmDialog } from './Dialog.tsx'

export function UnsavedChanges({ isDirty }: { readonly isDirty: boolean }) {
  const t = useTexts()
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true })
  return (
    <ConfirmDialog
      title={t('unsaved')}
      text={t('unsavedText')}
      confirm={t('leave')}
      danger
      isOpen={blocker.status === 'blocked'}
      // The first of these calls decides.
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  )
}
