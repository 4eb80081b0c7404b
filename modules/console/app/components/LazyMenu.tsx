/** A menu of the first screen: its code loads after the screen, and with the first use at the latest. */
import { type ComponentProps, cloneElement, lazy, type ReactElement, Suspense, useState } from 'react'
import type { Button } from './Button.tsx'
import type { Menu } from './Menu.tsx'

export const loadMenu = () => import('./Menu.tsx')
const LoadedMenu = lazy(async () => ({ default: (await loadMenu()).Menu }))

type Props = Omit<ComponentProps<typeof Menu>, 'trigger' | 'isOpenAtFirst'> & {
  readonly trigger: ReactElement<ComponentProps<typeof Button>>
  /** Called with the first use. */
  readonly onOpen?: () => void
}

export function LazyMenu({ trigger, onOpen, ...menu }: Props) {
  const [isUsed, setUsed] = useState(false)
  const open = () => {
    setUsed(true)
    onOpen?.()
  }
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'true',
    'aria-expanded': false,
    onPress: open,
    onKeyDown: ({ key }) => key === 'ArrowDown' && open(),
  })
  if (!isUsed) return closed
  return (
    <Suspense fallback={closed}>
      <LoadedMenu {...menu} trigger={trigger} isOpenAtFirst />
    </Suspense>
  )
}
