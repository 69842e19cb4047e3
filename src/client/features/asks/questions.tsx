import type { Ask, AskQuestion } from "../../../contract.ts";
import { LIMITS } from "../../../contract.ts";
import type { Task } from "../../shared/api/rows.ts";
import { Button } from "../../shared/ui/button.tsx";
import { giveAnswer } from "./answer.ts";
import { keepAnswerDraft, useAnswerDraft } from "./answer-drafts.ts";
import { type Answers, choose, isComplete, toAnswers, write } from "./answers-given.ts";

/** Every question with its options, and room for an answer that is none of them. */
export function Questions({ task, ask }: { task: Task; ask: Ask }) {
  const questions = ask.questions ?? [];
  const { answers: given } = useAnswerDraft(task, ask);
  const setGiven = (answers: Answers) => keepAnswerDraft(task, ask, { answers });
  const send = (answers: Answers) =>
    isComplete(questions, answers) &&
    giveAnswer(task, ask, "allow", { answers: toAnswers(questions, answers) });
  const [only] = questions;
  const isOneClick = questions.length === 1 && only?.multiple === false;
  return (
    <form
      aria-label="Questions"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send(given);
      }}
    >
      {questions.map((question) => (
        <Question
          key={question.question}
          question={question}
          given={given}
          onChoose={(label) => {
            const next = choose(question, given, label);
            setGiven(next);
            if (isOneClick) send(next);
          }}
          onWrite={(text) => setGiven(write(question, given, text))}
        />
      ))}
      {(!isOneClick || isComplete(questions, given)) && (
        <Button type="submit" look="primary" className="self-start" disabled={!isComplete(questions, given)}>
          Send {questions.length === 1 ? "answer" : "answers"}
        </Button>
      )}
    </form>
  );
}

interface QuestionProps {
  question: AskQuestion;
  given: Answers;
  onChoose(label: string): void;
  onWrite(text: string): void;
}

function Question({ question, given, onChoose, onWrite }: QuestionProps) {
  const { chosen = [], other = "" } = given[question.question] ?? {};
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium break-words">
        {question.header && <span className="mr-1.5 text-xs text-faint">{question.header}</span>}
        {question.question}
      </legend>
      <div className="flex flex-col gap-1">
        {question.options.map(({ label, description }) => (
          <button
            key={label}
            type="button"
            aria-pressed={chosen.includes(label)}
            onClick={() => onChoose(label)}
            className="rounded-md border border-line bg-card px-3 py-1.5 text-left text-sm hover:border-line-strong hover:bg-card-hover aria-pressed:border-accent touch:min-h-11"
          >
            <span className="font-medium break-words">{label}</span>
            {description && <span className="block text-xs break-words text-muted">{description}</span>}
          </button>
        ))}
        <input
          type="text"
          aria-label={`Another answer to: ${question.question}`}
          value={other}
          maxLength={LIMITS.answer}
          placeholder="Something else…"
          onChange={(event) => onWrite(event.target.value)}
          className="h-8 rounded-md border border-line bg-card px-3 text-sm outline-none focus:border-accent touch:h-11 touch:text-lg"
        />
      </div>
    </fieldset>
  );
}
