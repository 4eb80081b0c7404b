import { createContext } from 'react'

/** Whether a value stands in a list, where times are told from now. */
export const InList = createContext(false)
