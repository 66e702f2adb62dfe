import { type FormEvent, useState } from "react";

/** A form that is sent once at a time, and what came of the last attempt. */
export function useForm(send: (values: FormData) => Promise<void>): {
  busy: boolean;
  error: unknown;
  setError: (error: unknown) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
} {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (values: FormData) => {
    setBusy(true);
    setError(null);
    try {
      await send(values);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    error,
    setError,
    onSubmit(event) {
      event.preventDefault();
      if (!busy) void run(new FormData(event.currentTarget));
    },
  };
}

/** The text of a field. */
export const textIn = (values: FormData, name: string): string => {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
};
