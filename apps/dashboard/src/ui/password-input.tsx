import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { cn } from "../lib/cn.ts";
import { Input } from "./inputs.tsx";

/** A password field that can show its text: that makes fewer mistakes, and needs no second field to repeat it. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="relative flex">
      <Input {...rest} type={shown ? "text" : "password"} spellCheck={false} autoCapitalize="off" className={cn("pr-10", className)} />
      <button
        type="button"
        aria-label={shown ? "Hide password" : "Show password"}
        className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-control text-muted hover:text-text"
        onClick={() => setShown(!shown)}
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </span>
  );
}
