import { type RefObject, useEffect } from 'react'

const IS_APPLE = /mac|iphone|ipad/i.test(navigator.platform)

/** As the keyboard names the keys. */
export const SAVE_KEYS = IS_APPLE ? '⌘ S' : 'Ctrl S'

/** Submits a form by Ctrl S or ⌘ S, wherever the focus is; the form of a dialog while one is open. */
export function useSaveShortcut(form: RefObject<HTMLFormElement | null>, isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      const dialog = document.querySelector('[role="dialog"], [role="alertdialog"]')
      if (event.repeat || (dialog && !dialog.contains(form.current))) return
      const submit = form.current?.querySelector<HTMLButtonElement>('button[type="submit"]')
      if (submit && !submit.disabled) form.current?.requestSubmit(submit)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [form, isEnabled])
}
