using System.Xml.Linq;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>An entity as it is shown.</summary>
/// <param name="Path">Its path below the endpoint, from which clients read the names.</param>
/// <param name="Name">Its own name.</param>
/// <param name="Created">When it was created.</param>
/// <param name="Changed">When it was last changed.</param>
/// <param name="Description">Everything else.</param>
internal sealed record AtomEntry(string Path, string Name, DateTimeOffset Created, DateTimeOffset Changed, XElement Description);
