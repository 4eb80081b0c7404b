import type { ReactNode } from 'react'
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Icon } from './Icon.tsx'
import styles from './Menu.module.css'

export interface MenuItem {
  readonly id: string
  readonly text: string
  readonly icon?: string
  readonly danger?: boolean
  readonly onAction?: () => void
  readonly href?: string
}
interface Props {
  readonly label: string
  /** The button that opens the menu. */
  readonly trigger: ReactNode
  readonly items: readonly MenuItem[]
  readonly selection?: 'none' | 'single' | 'multiple'
  readonly selected?: readonly string[]
  readonly onSelect?: (ids: readonly string[]) => void
  readonly isOpenAtFirst?: boolean
  /** With `onOpenChange`, whether it is open now: a key opens it, too. */
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
}

export function Menu({
  label,
  trigger,
  items,
  selection = 'none',
  selected = [],
  onSelect,
  isOpenAtFirst,
  isOpen,
  onOpenChange,
}: Props) {
  return (
    <MenuTrigger
      defaultOpen={isOpenAtFirst ?? false}
      {...(isOpen !== undefined && { isOpen })}
      {...(onOpenChange && { onOpenChange })}
    >
      {trigger}
      <Popover className={styles.popover}>
        <AriaMenu
          aria-label={label}
          className={styles.menu}
          selectionMode={selection}
          selectedKeys={selected}
          disallowEmptySelection={selection === 'single'}
          onSelectionChange={keys => onSelect?.(keys === 'all' ? items.map(({ id }) => id) : [...keys].map(String))}
        >
          {items.map(({ id, text, icon, danger, onAction, href }) => (
            <AriaMenuItem
              key={id}
              id={id}
              textValue={text}
              className={`${styles.item} ${danger ? styles.danger : ''}`}
              {...(onAction && { onAction })}
              {...(href !== undefined && { href })}
            >
              {({ isSelected }) => (
                <>
                  {selection !== 'none' ? (
                    <span className={styles.check}>{isSelected && <Icon name="check" />}</span>
                  ) : (
                    icon && <Icon name={icon} />
                  )}
                  <span>{text}</span>
                </>
              )}
            </AriaMenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
