/** of-entry: names the entry of a Bundle for which the whole Bundle is refused. */
import { AppError } from '../../../core/base/errors';

/** Does what one entry asks for. @param index absent where the request has no entries */
export async function ofEntry<T>(index: number | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (index === undefined || !(error instanceof AppError)) {
      throw error;
    }
    const { status, code, message, details, headers } = error;
    throw new AppError(status, code, `Bundle.entry[${index}]: ${message}`, details, headers);
  }
}
