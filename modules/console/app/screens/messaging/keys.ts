/** Whether a key belongs to a field, a menu or a shortcut of the browser. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [role="menu"], [role="dialog"]') !== null
  )
}
