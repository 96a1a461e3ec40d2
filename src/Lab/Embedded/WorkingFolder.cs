using EventHubThroughput.Journal.Files;
using EventHubThroughput.Settings;

namespace EventHubThroughput.Lab.Embedded;

/// <summary>Temporary folders of this program.</summary>
internal static class WorkingFolder
{
    /// <exception cref="UsageException">A temporary folder cannot be created.</exception>
    public static TemporaryFolder Create(string purpose)
    {
        try
        {
            return TemporaryFolder.Create(purpose);
        }
        catch (IOException exception)
        {
            throw new UsageException(exception.Message);
        }
    }
}
