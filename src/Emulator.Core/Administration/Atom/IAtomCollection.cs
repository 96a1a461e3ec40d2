using System.Xml.Linq;
using EventHubThroughput.Emulator.Entities;

namespace EventHubThroughput.Emulator.Administration.Atom;

/// <summary>Entities of one kind under one path.</summary>
internal interface IAtomCollection
{
    /// <summary>The title of a list of them.</summary>
    string Title { get; }

    /// <summary>The element that describes one of them.</summary>
    string Element { get; }

    /// <summary>All of them, in the order of their names.</summary>
    IEnumerable<AtomEntry> All { get; }

    AtomEntry? Find(string name);

    /// <exception cref="Settings.UsageException">The description asks for an unsupported feature.</exception>
    /// <exception cref="AtomException">It is refused for another reason.</exception>
    CreateVerdict Create(string name, XElement description);

    /// <returns>False when no entity has that name.</returns>
    /// <exception cref="Settings.UsageException">The description asks for what there is not, or changes what never changes.</exception>
    /// <exception cref="AtomException">It is refused for another reason.</exception>
    bool Change(string name, XElement description);

    /// <returns>False when no entity has that name.</returns>
    bool Delete(string name);
}

/// <summary>An entity as answers show it.</summary>
/// <param name="Path">Its path below the endpoint, from which clients read the names.</param>
/// <param name="Name">Its name.</param>
/// <param name="Created">When it was created.</param>
/// <param name="Changed">When it was last changed.</param>
/// <param name="Description">All other properties.</param>
internal sealed record AtomEntry(string Path, string Name, DateTimeOffset Created, DateTimeOffset Changed, XElement Description);
