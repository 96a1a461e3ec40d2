using EventHubThroughput.Journal;
using EventHubThroughput.Journal.Files;

namespace EventHubThroughput.Emulator.Journalling;

/// <summary>The start of a journal. It is opened before everything else, and gets its final name when everything else has started.</summary>
internal static class JournalStart
{
    /// <summary>Continues the journal of a data directory. Without a data directory every start begins a new journal next to the old one.</summary>
    /// <exception cref="EmulatorException">The journal cannot be written, or the existing file is not a journal.</exception>
    public static JournalWriter Open(string path, bool continues, TimeProvider clock)
    {
        try
        {
            return continues ? Continue(path, clock) : JournalWriter.OpenBeside(path, clock);
        }
        catch (JournalFormatException exception)
        {
            throw new EmulatorException(
                EmulatorErrorKind.InconsistentData,
                EmulatorSetting.JournalPath,
                path,
                $"{exception.Message}. It cannot be continued, move it away to start a new one",
                exception
            );
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw NotWritable(path, exception);
        }
    }

    /// <summary>Gives the journal its final name. The start may fail before this call without losing an older journal.</summary>
    /// <exception cref="EmulatorException">The journal cannot be written.</exception>
    public static void Place(JournalWriter journal, string path, bool hasData)
    {
        try
        {
            if (hasData && journal is { Continued.Tick: 0, LastTick: > 0 })
            {
                journal.Write(new StateFound());
            }

            journal.Place();
        }
        catch (Exception exception) when (OutputFile.IsFailure(exception))
        {
            throw NotWritable(path, exception);
        }
    }

    private static JournalWriter Continue(string path, TimeProvider clock)
    {
        var journal = JournalWriter.Continue(path, clock);
        if (journal.Continued.Tick > 0)
        {
            journal.Write(new EmulatorStarted());
        }

        return journal;
    }

    private static EmulatorException NotWritable(string path, Exception exception) =>
        new(EmulatorErrorKind.NotWritable, EmulatorSetting.JournalPath, path, OutputFile.Describe(exception), exception);
}
