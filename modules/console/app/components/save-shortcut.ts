import { type RefObject, useEffect } from 'react'
import { useTexts } from '../locales/index.ts'

const IS_APPLE = /mac|iphone|ipad/i.test(navigator.platform)

/** A key with Control or Command, as the keyboard of the person names them: `Ctrl` or `Strg`, and `S`. */
export function useKeys(): (key: string) => readonly string[] {
  const t = useTexts()
  return key => [IS_APPLE ? '⌘' : t('controlKey'), key]
}

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
