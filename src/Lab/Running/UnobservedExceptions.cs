using EventHubThroughput.Events;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Running;

/// <summary>
/// Counts exceptions of tasks that were never awaited. One is a defect even in a run that achieved its goal, so the process ends with an error.
/// </summary>
internal sealed class UnobservedExceptions : IDisposable
{
    private const int UnexpectedError = 1;

    private readonly Lock gate = new();

    // Under the gate.
    private int count;
    private string? first;

    public UnobservedExceptions() => TaskScheduler.UnobservedTaskException += Observe;

    /// <summary>The exit code of a process whose work ended with <paramref name="code"/>. Reports what was found.</summary>
    public int Conclude(int code, TextWriter error)
    {
        // The runtime reports a task only when it is collected.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        lock (gate)
        {
            if (count == 0)
            {
                return code;
            }

            // What has ended a run has its line of error already, and a failing service may leave such tasks.
            var (word, end) = code == 0 ? ("error", UnexpectedError) : ("warning", code);
            error.WriteLine($"{word}: {Plural.Format(count, "exception")} of unobserved tasks, the first: {first}");
            return end;
        }
    }

    public void Dispose() => TaskScheduler.UnobservedTaskException -= Observe;

    private void Observe(object? sender, UnobservedTaskExceptionEventArgs arguments)
    {
        var cause = arguments.Exception.GetBaseException();
        lock (gate)
        {
            count++;
            first ??= SecretMask.Apply($"{cause.GetType().Name}: {cause.Message}").ReplaceLineEndings(" ");
        }
    }
}
