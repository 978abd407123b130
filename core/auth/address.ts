/** address: checks account ids and contact addresses, which must be an e-mail address with a dotted domain. */
import Joi from 'joi';

/** At least two letters follow the last dot. */
const address = Joi.string()
  .max(300)
  .pattern(/^[^\s@<>()[\]\\,;:"\p{Cc}]+@([^\s@<>()[\]\\,;:"./?#%\p{Cc}]+\.)+\p{L}{2,}$/u);

export function isAddress(text: string): boolean {
  return address.validate(text).error === undefined;
}
