using EventHubThroughput.Events;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Running;

/// <summary>
/// Counts exceptions of tasks that nobody awaited. One is a defect whatever the run achieved, so the process does not end well.
/// </summary>
internal sealed class UnobservedExceptions : IDisposable
{
    private const int UnexpectedError = 1;

    private readonly Lock gate = new();

    // Under the gate.
    private int count;
    private string? first;

    public UnobservedExceptions() => TaskScheduler.UnobservedTaskException += Observe;

    /// <summary>The exit code of a process whose work ended with <paramref name="code"/>. Says what was found.</summary>
    public int Conclude(int code, TextWriter error)
    {
        // The runtime tells of a task only when it is collected.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        lock (gate)
        {
            if (count == 0)
            {
                return code;
            }

            // What has ended a run has its line of error already, and a service that dies may leave such tasks behind.
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
