/** `send_back` → `Send back`, which `locales/` translates. */
export function choiceTitle(choice: string): string {
  const words = choice
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
