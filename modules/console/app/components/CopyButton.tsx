import { toast } from '../data/toasts.ts'
import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'

interface Props {
  readonly text: string
  /** Name of the text. The button then shows its icon only. */
  readonly label?: string
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, label }: Props) {
  const t = useTexts()
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast(t('copied'))
  }
  const shown = label === undefined ? { children: t('copy') } : { label: `${t('copy')}: ${label}` }
  return <Button icon="copy" isDisabled={text === ''} onPress={copy} {...shown} />
}
